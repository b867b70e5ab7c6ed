import Conversation
import Foundation
import Prompts

/// The prompt library of the folder that settings name.
enum PromptParts {
    /// Loads the bundle.
    ///
    /// - Throws: What is wrong with a file, with its line: a service without prompts cannot say what it would ask.
    static func make(_ settings: Settings) throws(CommandFailure) -> PromptLibrary {
        let library = PromptLibrary(PromptFolder(URL(fileURLWithPath: settings.folder(.promptsFolder))))
        do throws(BundleError) {
            try library.reload()
            return library
        } catch {
            throw CommandFailure("The prompts cannot be used: \(error)", .missing)
        }
    }
}

extension PromptLibrary {
    /// Whether a bundle is in force.
    var readiness: ReadinessPart {
        bundle == nil
            ? ReadinessPart("prompts", .degraded, detail: "No prompt bundle has been loaded.")
            : ReadinessPart("prompts", detail: version)
    }
}
