import Conversation
import Safety

/// List of all rules with their figures, and a form that tests a sentence.
struct RulesView: Sendable {
    let reading: RuleShelf.Reading
    let hits: [String: Int]
    let call: ConsoleCall

    var html: HTML {
        """
        \(trying)
        <p>Rules of the bundle <code>\(reading.digest.prefix(12))</code>. A rule that says too much has a low precision, one that \
        overlooks much a low recall.</p><details class="fixture"><summary><b>What the figures mean</b></summary><p>\
        Precision: of the sentences on which a rule fires, how many it should. Recall: of those on which it should, how \
        many it finds by itself; rules of a category share the work. Both are measured on \(reading.exemplars) labelled \
        sentences and on the examples of the other rules of the pack; a rule's own examples must hold or the pack is not \
        loaded, so they say nothing. Traps are sentences that it must not fire on. In brackets is where the true share lies, 95 times of 100.</p></details>
        \(reading.packs.map(pack))
        """
    }

    private var trying: HTML {
        guard call.may(.operator) else { return "" }
        return "<section class=\"panel\"><h2>Try a sentence</h2>\(RuleTrialView.form("", call))</section>"
    }

    private func pack(_ pack: RuleShelf.Pack) -> HTML {
        let isInput = pack.use == .input
        var table = Table(
            "Rules of the pack \(pack.name)",
            columns: ["Rule", isInput ? "Finds" : "Does", "Precision", "Recall", "This week", "Traps"]
        )
        for rule in pack.rules {
            table.add(
                "<a href=\"\(ConsolePath("rules", rule.listing.rule))\">\(rule.listing.rule)</a>",
                Self.meaning(of: rule.listing),
                ShareView(share: rule.figures?.precision).html,
                ShareView(share: rule.figures?.recall).html,
                isInput ? "\(hits[rule.listing.rule] ?? 0)" : "<span class=\"quiet\">not counted</span>",
                rule.traps.isEmpty ? "<span class=\"quiet\">none</span>" : "\(rule.traps.count)"
            )
        }
        let about: HTML = isInput ? "what patients say" : "what a model says"
        let found = pack.rules.reduce(0) { $0 + (hits[$1.listing.rule] ?? 0) }
        let count: HTML = isInput ? ", \(found) found this week" : ""
        return """
            <details class="pack"><summary><h2>\(pack.name)</h2> <span class="quiet">\(pack.language), \(about), \
            \(pack.rules.count) rules\(count)</span></summary>\(table.html())</details>
            """
    }

    /// "critical · Fall", or the effect of an output rule.
    static func meaning(of listing: RuleListing) -> HTML {
        if let level = listing.level, let category = listing.category {
            return "\(Badge(level).html) \(AlertWords.name(of: category))"
        }
        let grounds = listing.grounds?.joined(separator: ", ").replacing("_", with: " ")
        guard let action = listing.action else { return "treads on \(grounds ?? "")" }
        return action == "drop" ? "leaves the sentence out" : "replaces the reply"
    }
}
