import Console
import Conversation
import Foundation

/// The operator's key of the embedded default, kept in the data folder for the person who runs it.
struct DevelopmentOperator: Sendable {
    /// The key.
    let key: OperatorKey

    /// Where the key is kept.
    static func path(in dataFolder: String) -> String { dataFolder + "/development-operator" }

    /// The operator of the record: an administrator of the demonstration tenant.
    var record: Operator {
        Operator(
            id: key.operator,
            tenant: DemoHousehold.tenant,
            name: "development",
            role: .admin,
            createdAt: Date()
        )
    }

    /// The key that is kept, made when there is none; only its owner can read the file.
    static func keep(in dataFolder: String) throws(CommandFailure) -> DevelopmentOperator {
        let path = path(in: dataFolder)
        if let text = try? String(contentsOfFile: path, encoding: .utf8),
            let key = OperatorKey(text.trimmingCharacters(in: .whitespacesAndNewlines))
        {
            return DevelopmentOperator(key: key)
        }
        let key = OperatorKey(for: OperatorID())
        let isWritten = FileManager.default.createFile(
            atPath: path,
            contents: Data((key.text + "\n").utf8),
            attributes: [.posixPermissions: 0o600]
        )
        guard isWritten else { throw CommandFailure("The data folder \(dataFolder) cannot be written.") }
        return DevelopmentOperator(key: key)
    }
}
