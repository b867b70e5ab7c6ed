import Conversation
import Prompts

/// The files of a bundle, each with where it is read or edited.
struct BundleFilesView: Sendable {
    let bundle: ShelvedBundle
    let call: ConsoleCall

    var html: HTML {
        var table = Table("Files of the bundle \(bundle.version)", columns: ["File", "Bytes", "What it is"])
        for file in bundle.files {
            table.add(link(to: file), "\(file.bytes.count)", Self.kind(of: file.path))
        }
        return table.html()
    }

    private func link(to file: BundleFile) -> HTML {
        guard BundleEdit.isEditable(file.path) else { return "\(file.path)" }
        return "<a href=\"\(PromptsPage.path(of: bundle.digest, file: file.path))\">\(file.path)</a>"
    }

    private static func kind(of path: String) -> HTML {
        if path.hasPrefix("_") { return "a part of prompts" }
        if path.hasSuffix(PromptFileName.suffix) { return "a prompt" }
        if path.hasPrefix("rules/cues") { return "wordings that rules weigh by" }
        if path.hasPrefix("rules/") { return "a pack of rules" }
        if path.hasPrefix("exemplars/") { return "exemplars; changed by training" }
        return path == "lines.yaml" ? "lines that are said word for word" : "which models are asked"
    }
}
