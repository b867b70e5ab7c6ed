import Console
import Conversation
import Foundation

/// The operator's key of the embedded default, stored in the data folder.
struct DevelopmentOperator: Sendable {
    let key: OperatorKey

    /// Path of the key's file.
    static func path(in dataFolder: String) -> String { dataFolder + "/development-operator" }

    /// The operator in the database: an administrator of the demonstration tenant.
    var record: Operator {
        Operator(
            id: key.operator,
            tenant: DemoHousehold.tenant,
            name: "development",
            role: .admin,
            createdAt: Date()
        )
    }

    /// The stored key, created if missing; only its owner can read the file.
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
