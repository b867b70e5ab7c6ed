import Foundation
import Prompts

/// `hearth prompts fmt`: formats the folder's prompts.
enum FormatPrompts: PromptAction {
    static let name = "fmt"
    static let summary = "Bring the folder's prompts into the house form; says which files it changed."

    static func run(_ call: PromptCall) async throws(CommandFailure) -> ExitCode {
        let isCheck = call.arguments.flags.contains("check")
        var changed = 0
        for file in try call.files() where file.path.hasSuffix(PromptFileName.suffix) {
            let text: String
            do throws(PromptSourceError) {
                text = try PromptFormat.formatted(SourceText(file: file.path, bytes: file.bytes))
            } catch {
                throw CommandFailure("\(error)", .found)
            }
            guard Array(text.utf8) != file.bytes else { continue }
            changed += 1
            Terminal.out(file.path)
            if !isCheck { try write(text, call.folder.url.appending(path: file.path)) }
        }
        return isCheck && changed > 0 ? .found : .success
    }

    private static func write(_ text: String, _ file: URL) throws(CommandFailure) {
        do {
            try Data(text.utf8).write(to: file, options: .atomic)
        } catch {
            throw CommandFailure("\(file.path) cannot be written: \(error.localizedDescription)")
        }
    }
}
