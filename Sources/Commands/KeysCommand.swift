import Conversation
import Cryptography
import Foundation
import PostgresStore
import Runtime

/// `hearth keys`: makes, lists and revokes service keys.
enum KeysCommand: Command {
    static let name = "keys"
    static let summary = "Make, list and revoke service keys."
    static let words = "create NAME | list | revoke ID"
    static let options = [(name: "tenant", summary: "Whose keys; the demonstration tenant unless given.")]
    static let flags = [(name: "json", summary: "Print JSON, an object a line.")]

    static func run(_ arguments: Arguments, _ settings: Settings) async throws(CommandFailure) -> ExitCode {
        guard let action = KeyAction(arguments.words) else {
            throw CommandFailure("hearth keys \(words)", .usage)
        }
        try action.check()
        let tenant = try tenant(arguments)
        let asJSON = arguments.flags.contains("json")
        let database = try EmbeddedDatabase.existing(settings, log: Log(to: StandardErrorSink(), minimum: .warning))
        return try await database.whileRunning { address async throws(CommandFailure) in
            try await RecordSession.with(address) { records async throws(RecordsError) in
                try await action.perform(on: records, tenant: tenant, asJSON: asJSON)
            }
        }
    }

    private static func tenant(_ arguments: Arguments) throws(CommandFailure) -> TenantID {
        guard let text = arguments.options["tenant"] else { return DemoHousehold.tenant }
        guard let tenant = TenantID(text) else { throw CommandFailure("--tenant must be a UUID.", .usage) }
        return tenant
    }
}

/// What is done to service keys.
enum KeyAction: Sendable, Equatable {
    case create(name: String)
    case list
    case revoke(ServiceKeyID)

    init?(_ words: [String]) {
        switch (words.first, words.count) {
        case ("create", 2): self = .create(name: words[1])
        case ("list", 1): self = .list
        case ("revoke", 2):
            guard let key = ServiceKeyID(words[1]) else { return nil }
            self = .revoke(key)
        default: return nil
        }
    }

    private static let time = Duration.seconds(10)
    private static let nameLengths = 1...200

    /// Refuses a name that the records do not take.
    func check() throws(CommandFailure) {
        guard case .create(let name) = self else { return }
        guard Self.nameLengths.contains(name.unicodeScalars.count), !name.contains("\0") else {
            throw CommandFailure("A key's name must have 1 to 200 characters.", .usage)
        }
    }

    /// Does it and prints what came of it.
    ///
    /// A new key is shown this once.
    func perform(
        on records: any ServiceKeyRecords,
        tenant: TenantID,
        asJSON: Bool
    ) async throws(RecordsError) -> ExitCode {
        let deadline = Deadline(after: Self.time)
        switch self {
        case .create(let name):
            let secret = DevelopmentKey(text: "hearth_" + RandomToken.text())
            let key = ServiceKey(tenant: tenant, name: name, scopes: ["turns", "read"], createdAt: Date())
            try await records.store(key, digest: secret.digest, by: deadline)
            Terminal.out(asJSON ? KeyLine(key, secret: secret.text).json : secret.text)
            return .success
        case .list:
            for key in try await records.keys(of: tenant, by: deadline) {
                Terminal.out(asJSON ? KeyLine(key, secret: nil).json : KeyLine(key, secret: nil).text)
            }
            return .success
        case .revoke(let key):
            let wasGood = try await records.revoke(key, tenant: tenant, by: deadline)
            Terminal.error(wasGood ? "Revoked \(key)." : "The tenant has no good key \(key).")
            return wasGood ? .success : .refused
        }
    }
}

/// A service key as a line of output.
struct KeyLine: Sendable {
    private let key: ServiceKey
    private let secret: String?

    init(_ key: ServiceKey, secret: String?) {
        self.key = key
        self.secret = secret
    }

    var text: String {
        let state = key.revokedAt.map { "revoked \($0.formatted(.iso8601))" } ?? "good"
        return "\(key.id)  \(state)  \(key.scopes.sorted().joined(separator: ","))  \(key.name)"
    }

    var json: String {
        var text = "{\"id\":\"\(key.id)\",\"name\":"
        text.appendJSONString(key.name)
        text += ",\"created_at\":\"\(key.createdAt.formatted(.iso8601))\""
        text += ",\"revoked_at\":" + (key.revokedAt.map { "\"\($0.formatted(.iso8601))\"" } ?? "null")
        if let secret {
            text += ",\"key\":"
            text.appendJSONString(secret)
        }
        return text + "}"
    }
}
