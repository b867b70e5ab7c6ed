import Conversation
import PostgresStore
import Runtime

/// A command that creates, lists and revokes credentials.
protocol CredentialsCommand: Command {
    associatedtype Held: Credentials

    /// Credentials in the database, configured by the options.
    static func credentials(_ arguments: Arguments, in records: PostgresRecords) -> Held

    /// Whether the options are complete for an action.
    static func fits(_ action: CredentialAction<Held.Kind>, _ arguments: Arguments) -> Bool
}

extension CredentialsCommand {
    static var flags: [(name: String, summary: String)] { [(name: "json", summary: "Print JSON, an object a line.")] }

    static func fits(_ action: CredentialAction<Held.Kind>, _ arguments: Arguments) -> Bool { true }

    static func run(_ arguments: Arguments, _ settings: Settings) async throws(CommandFailure) -> ExitCode {
        guard let action = CredentialAction<Held.Kind>(arguments.words), fits(action, arguments) else {
            throw CommandFailure("hearth \(name) \(words)", .usage)
        }
        try action.check(Held.noun)
        let tenant = try tenant(arguments)
        let asJSON = arguments.flags.contains("json")
        let database = try EmbeddedDatabase.existing(settings, log: Log(to: StandardErrorSink(), minimum: .warning))
        return try await database.whileRunning { address async throws(CommandFailure) in
            try await RecordSession.with(address) { records async throws(RecordsError) in
                let held = credentials(arguments, in: records)
                return try await action.perform(on: held, tenant: tenant, asJSON: asJSON)
            }
        }
    }

    private static func tenant(_ arguments: Arguments) throws(CommandFailure) -> TenantID {
        guard let text = arguments.options["tenant"] else { return DemoHousehold.tenant }
        guard let tenant = TenantID(text) else { throw CommandFailure("--tenant must be a UUID.", .usage) }
        return tenant
    }
}
