import Console
import Conversation
import Foundation
import Runtime

/// `hearth operators`: makes, lists and revokes the keys that people sign in to the console with.
enum OperatorsCommand: Command {
    static let name = "operators"
    static let summary = "Make, list and revoke the keys of the console's operators."
    static let words = "create NAME --role viewer|operator|admin | list | revoke ID"
    static let options = [
        (name: "role", summary: "What the operator may do: viewer, operator or admin."),
        (name: "tenant", summary: "Whose patients; the demonstration tenant unless given."),
    ]
    static let flags = [(name: "json", summary: "Print JSON, an object a line.")]

    static func run(_ arguments: Arguments, _ settings: Settings) async throws(CommandFailure) -> ExitCode {
        guard let action = OperatorAction(arguments.words, role: arguments.options["role"]) else {
            throw CommandFailure("hearth operators \(words)", .usage)
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
