import Conversation
import Runtime

/// `hearth say`: sends one message to the running service, or to one started for the call.
enum SayCommand: Command {
    static let name = "say"
    static let summary = "Say one message as a patient and print the reply."
    static let words = "\"TEXT\""
    static let options = [
        (name: "patient", summary: "Who speaks; the demonstration patient unless given."),
        (name: "url", summary: "The service's base URL; the configured host and port unless given."),
        (name: "key", summary: "The service key; HEARTH_KEY or the development key unless given."),
    ]
    static let flags = [
        (name: "json", summary: "Print the service's whole answer."),
        (name: "trace", summary: "Draw each stage against the time that the turn took."),
    ]

    static func run(_ arguments: Arguments, _ settings: Settings) async throws(CommandFailure) -> ExitCode {
        let text = arguments.words.joined(separator: " ")
        guard !text.isEmpty else { throw CommandFailure("Say what? hearth say \"TEXT\"", .usage) }
        let patient = try Caller.patient(arguments)
        let turn = try await Caller.with(arguments, settings) { caller async throws(CommandFailure) in
            try await caller.say(text, as: patient)
        }
        try SpokenTurn(response: turn).show(
            asJSON: arguments.flags.contains("json"),
            withTrace: arguments.flags.contains("trace")
        )
        return .success
    }
}
