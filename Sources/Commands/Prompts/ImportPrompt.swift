import Foundation
import Prompts

/// `hearth prompts import`: converts a Prompty file or a plain text into a prompt.
enum ImportPrompt: PromptAction {
    static let name = "import"
    static let summary = "Make a prompt of a .prompty file or of a plain text."
    static let words = "FILE"

    static func run(_ call: PromptCall) async throws(CommandFailure) -> ExitCode {
        guard let path = call.words.first, call.words.count == 1 else {
            throw CommandFailure("hearth prompts import FILE", .usage)
        }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CommandFailure("\(path) cannot be read.", .missing)
        }
        let text: String
        do throws(PromptSourceError) {
            let source = try SourceText(file: URL(fileURLWithPath: path).lastPathComponent, bytes: Array(data))
            var prompty = PromptyImport(source)
            text = path.hasSuffix(".prompty") ? try prompty.prompt() : PlainTextImport.prompt(source.wholeText)
            _ = try PromptFile(SourceText(file: "imported.prompt", text))
        } catch {
            throw CommandFailure("\(error)", .found)
        }
        guard let out = call.arguments.options["out"] else {
            FileHandle.standardOutput.write(Data(text.utf8))
            return .success
        }
        guard !FileManager.default.fileExists(atPath: out) else {
            throw CommandFailure("\(out) is there already.", .usage)
        }
        guard FileManager.default.createFile(atPath: out, contents: Data(text.utf8)) else {
            throw CommandFailure("\(out) cannot be written.")
        }
        return .success
    }
}
