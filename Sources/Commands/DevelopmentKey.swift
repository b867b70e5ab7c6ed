import Cryptography
import Foundation

/// The service key of the embedded default, stored in the data folder.
struct DevelopmentKey: Sendable {
    /// The key as it is sent.
    let text: String

    /// Digest that identifies the key in the database.
    var digest: String { Digest.sha256(text).hex }

    private static func path(in dataFolder: String) -> String { dataFolder + "/development-key" }

    /// The stored key; nil if there is none yet.
    static func kept(in dataFolder: String) -> DevelopmentKey? {
        guard let text = try? String(contentsOfFile: path(in: dataFolder), encoding: .utf8) else { return nil }
        let key = text.trimmingCharacters(in: .whitespacesAndNewlines)
        return key.isEmpty ? nil : DevelopmentKey(text: key)
    }

    /// The stored key, created if missing; only its owner can read the file.
    static func keep(in dataFolder: String) throws(CommandFailure) -> DevelopmentKey {
        if let key = kept(in: dataFolder) { return key }
        let key = DevelopmentKey(text: "hearth_" + RandomToken.text())
        let isWritten = FileManager.default.createFile(
            atPath: path(in: dataFolder),
            contents: Data((key.text + "\n").utf8),
            attributes: [.posixPermissions: 0o600]
        )
        guard isWritten else { throw CommandFailure("The data folder \(dataFolder) cannot be written.") }
        return key
    }
}
