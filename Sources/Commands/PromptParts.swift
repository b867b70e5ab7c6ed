import Conversation
import Foundation
import Prompts

/// The prompt library of the folder that settings name.
enum PromptParts {
    /// Loads the bundle.
    ///
    /// - Throws: What is wrong with a file, with its line: a service without prompts cannot say what it would ask.
    static func make(_ settings: Settings) throws(CommandFailure) -> PromptLibrary {
        let folder = URL(fileURLWithPath: settings.folder(.promptsFolder))
        let library = PromptLibrary(PromptFolder(folder, with: safetyFiles(in: folder)))
        do throws(BundleError) {
            try library.reload()
            return library
        } catch {
            throw CommandFailure("The prompts cannot be used: \(error)", .missing)
        }
    }

    /// The rules and lines, which are part of a bundle's version: a reply says which of them were in force.
    private static func safetyFiles(in folder: URL) -> [URL] {
        let rules = folder.appending(path: "rules")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: rules.path)) ?? []
        let packs = names.filter { $0.hasSuffix(".yaml") }.sorted().map { rules.appending(path: $0) }
        return packs + [folder.appending(path: "lines.yaml")]
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
