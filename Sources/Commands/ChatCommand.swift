import Conversation
import Runtime

/// `hearth chat`: a conversation in the terminal, one turn per line, until the input ends.
enum ChatCommand: Command {
    static let name = "chat"
    static let summary = "Talk as a patient, a line at a time, until the input ends."
    static let options = SayCommand.options
    static let flags = [(name: "trace", summary: "Draw each turn's stages.")]

    static func run(_ arguments: Arguments, _ settings: Settings) async throws(CommandFailure) -> ExitCode {
        let patient = try Caller.patient(arguments)
        let withTrace = arguments.flags.contains("trace")
        return try await Caller.with(arguments, settings) { caller async throws(CommandFailure) in
            Terminal.error("Say something; an empty line or Ctrl-D ends.")
            while let line = await Terminal.line(prompt: "> "), !line.isEmpty {
                let turn = try await caller.say(line, as: patient)
                try SpokenTurn(response: turn).show(asJSON: false, withTrace: withTrace)
            }
            return .success
        }
    }
}
