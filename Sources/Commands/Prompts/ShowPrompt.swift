import Conversation
import Foundation
import Prompts

/// `hearth prompts show`: prints one file of a bundle.
enum ShowPrompt: PromptAction {
    static let name = "show"
    static let summary = "Print one file of the folder, or of a stored bundle."
    static let words = "FILE"

    static func run(_ call: PromptCall) async throws(CommandFailure) -> ExitCode {
        guard call.words.count == 1 else { throw CommandFailure("hearth prompts show FILE", .usage) }
        guard let start = call.arguments.options["bundle"] else { return try show(call.words[0], of: call.files()) }
        return try await call.withReleases { desk in
            try await show(call.words[0], of: desk.files(of: start).files)
        }
    }

    private static func show(_ name: String, of files: [BundleFile]) throws(CommandFailure) -> ExitCode {
        guard let file = files.first(where: { $0.path == name || $0.path == name + ".prompt" }) else {
            throw CommandFailure("The bundle has no \(name).", .missing)
        }
        FileHandle.standardOutput.write(Data(file.bytes))
        return .success
    }
}
