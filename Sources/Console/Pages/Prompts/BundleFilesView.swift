import Conversation
import Prompts

/// Files of a bundle, with links to view or edit them.
struct BundleFilesView: Sendable {
    let bundle: ShelvedBundle
    let call: ConsoleCall

    var html: HTML {
        let rules = bundle.files.filter { $0.path.hasPrefix("rules/") }
        let trained = bundle.files.filter { !BundleEdit.isEditable($0.path) }
        let others = bundle.files.filter { file in !rules.contains(file) && !trained.contains(file) }
        return """
            \(table("Prompts, lines and routing", others))\(folded("Rules", rules))\
            \(folded("Detectors and exemplars", trained))
            """
    }

    /// A collapsed section for files that are read less often.
    private func folded(_ name: String, _ files: [BundleFile]) -> HTML {
        guard !files.isEmpty else { return "" }
        return """
            <details class="pack"><summary><b>\(name)</b> <span class="quiet">\(Figure.count(files.count, "file"))</span></summary>\
            \(table("\(name) of the bundle \(bundle.version)", files))</details>
            """
    }

    private func table(_ caption: String, _ files: [BundleFile]) -> HTML {
        var table = Table(caption, columns: ["File", "Bytes", "What it is"])
        for file in files { table.add(link(to: file), "\(file.bytes.count)", Self.kind(of: file.path)) }
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
        if path.hasPrefix("detector/") { return "detector; changed by training" }
        if path.hasPrefix("exemplars/") { return "exemplars; rules are measured on them" }
        return path == "lines.yaml" ? "lines that are said word for word" : "which models are asked"
    }
}
