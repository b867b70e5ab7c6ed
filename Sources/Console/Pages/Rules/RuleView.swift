import Safety

/// One rule: its meaning, its precision and recall, and its positive and negative examples.
struct RuleView: Sendable {
    let pack: RuleCatalog.Pack
    let entry: RuleCatalog.Entry
    let hits: Int

    /// Location in the bundle, without the temporary folder from which it was read.
    private var place: String {
        let place = entry.listing.place
        guard let folder = place.ranges(of: "/rules/").last else { return place }
        return String(place[folder.lowerBound...].dropFirst())
    }

    var html: HTML {
        let listing = entry.listing
        let guards = (listing.guards.isEmpty ? ["none"] : listing.guards).map(Wording.say).joined(separator: ", ")
        let week: HTML = pack.use == .input ? "<dt>This week</dt><dd>\(hits) messages</dd>" : ""
        let fails: Label = listing.fails == "alert" ? "treated as a match" : "treated as no match"
        return """
            <dl class="facts"><dt>Effect</dt><dd>\(RulesView.meaning(of: listing))</dd>\
            <dt>Pack</dt><dd><bdi>\(pack.name)</bdi>, \(LanguageName.of(pack.language))</dd><dt>Guards</dt><dd>\(guards)</dd>\
            <dt>On failure</dt><dd>\(fails)</dd><dt>Source</dt><dd><code>\(place)</code></dd>\
            <dt>Precision</dt><dd>\(ProportionView(share: entry.figures?.precision).html)</dd>\
            <dt>Recall of this rule alone</dt><dd>\(ProportionView(share: entry.figures?.recall).html)</dd>\(week)</dl>
            \(list("Positive examples", entry.positives, empty: "It has no positive example."))
            \(list("Negative examples", entry.traps, empty: "It has no negative example."))
            \(list("False positives", entry.figures?.wrong ?? [], empty: "None among the labelled sentences."))
            <p><a href="\(ConsolePath("rules"))">All rules</a></p>
            """
    }

    private func list(_ title: HTML, _ sentences: [String], empty: HTML) -> HTML {
        guard !sentences.isEmpty else { return "<h2>\(title)</h2><p class=\"quiet\">\(empty)</p>" }
        let items = sentences.map { "<li><bdi>\($0)</bdi></li>" as HTML }
        return "<h2>\(title)</h2><ul>\(items)</ul>"
    }
}

/// A share of labelled sentences with its confidence interval; words instead if there are too few sentences.
struct ProportionView: Sendable {
    let share: Safety.Proportion?

    var html: HTML {
        guard let share, share.total > 0 else { return "<span class=\"quiet\">no labelled sentences</span>" }
        guard share.total >= RuleStatistics.fewest else {
            return "<span class=\"quiet\">too few sentences: \(share.count) of \(share.total)</span>"
        }
        let interval = share.interval
        return """
            \(Self.percent(share.value)) <span class="quiet">(\(Self.percent(interval.lowerBound)) to \
            \(Self.percent(interval.upperBound)); \(share.count) of \(share.total))</span>
            """
    }

    private static func percent(_ value: Double) -> String {
        "\(Int((value * 100).rounded())) %"
    }
}
