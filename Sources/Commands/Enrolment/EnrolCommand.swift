import Conversation
import PostgresStore
import Runtime

/// `hearth enrol`: adds tenants and patients to the database.
enum EnrolCommand: Command {
    static let name = "enrol"
    static let summary =
        "Put a tenant, a patient or the demonstration into the database; prints who can now be spoken for."
    static let words = "demonstration | tenant NAME | patient NAME"
    static let options = [
        (
            name: "id",
            summary:
                "The UUID by which your backend knows it; of who is there already, what you give is changed. Made unless given."
        ),
        (name: "tenant", summary: "The patient's tenant; the demonstration tenant unless given."),
        (
            name: "time-zone",
            summary: "Where the patient lives in time, such as America/New_York. Of a new patient, UTC unless given."
        ),
        (name: "language", summary: "What the patient speaks, such as es. Of a new patient, en-US unless given."),
    ]
    static let flags = [(name: "json", summary: "Print JSON.")]

    private static let time = Duration.seconds(10)

    static func run(_ arguments: Arguments, _ settings: Settings) async throws(CommandFailure) -> ExitCode {
        let enrolment = try Enrolment(arguments)
        let database = try EmbeddedDatabase.existing(settings, log: Log(to: StandardErrorSink(), minimum: .warning))
        return try await database.whileRunning { address async throws(CommandFailure) in
            try await RecordSession.with(address) { records throws(RecordsError) in
                try await enrolment.store(in: records, by: Deadline(after: time))
            }
            let identity = enrolment.identity
            Terminal.out(
                arguments.flags.contains("json")
                    ? JSONValue.object([.init(name: "id", value: .string(identity))]).text : identity
            )
            return .success
        }
    }
}
