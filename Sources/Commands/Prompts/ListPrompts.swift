import Conversation
import Cryptography
import Foundation
import Prompts
import Runtime

/// `hearth prompts list`: lists the folder's prompts with their purposes.
enum ListPrompts: PromptAction {
    static let name = "list"
    static let summary = "The prompts of the folder, and the bundle that they make."

    static func run(_ call: PromptCall) async throws(CommandFailure) -> ExitCode {
        let files = try call.files()
        let bundle: PromptBundle
        do throws(BundleError) {
            bundle = try PromptBundle(files)
        } catch {
            throw CommandFailure("\(error)", .found)
        }
        let prompts = bundle.prompts.sorted { "\($0.key)" < "\($1.key)" }
        for (name, prompt) in prompts {
            let summary = prompt.file.settings.summary
            guard call.isJSON else {
                Terminal.out("\(name)  \(summary)")
                continue
            }
            var line = JSONLine()
            line["file"] = "\(name)"
            line["name"] = name.name
            line["variant"] = name.variant
            line["description"] = summary
            line["bundle"] = bundle.digest.hex
            Terminal.out(line.text)
        }
        if !call.isJSON { Terminal.out("bundle \(bundle.version)") }
        return .success
    }
}
