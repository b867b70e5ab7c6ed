import Safety

/// One rule: its meaning, its precision and recall, and its positive and negative examples.
struct RuleView: Sendable {
    let pack: RuleShelf.Pack
    let entry: RuleShelf.Entry
    let hits: Int

    /// Location in the bundle, without the temporary folder from which it was read.
    private var place: String {
        let place = entry.listing.place
        guard let folder = place.ranges(of: "/rules/").last else { return place }
        return String(place[folder.lowerBound...].dropFirst())
    }

    var html: HTML {
        let listing = entry.listing
        let guards = listing.guards.isEmpty ? "none" : listing.guards.joined(separator: ", ")
        let week: HTML = pack.use == .input ? "<dt>This week</dt><dd>found in \(hits) messages</dd>" : ""
        let fails = listing.fails == "alert" ? "counts as found" : "counts as not found"
        return """
            <dl class="facts"><dt>Finding it means</dt><dd>\(RulesView.meaning(of: listing))</dd>\
            <dt>Pack</dt><dd>\(pack.name), \(pack.language)</dd><dt>Respects</dt><dd>\(guards)</dd>\
            <dt>Where it cannot look</dt><dd>\(fails)</dd><dt>Written at</dt><dd>\(place)</dd>\
            <dt>Precision</dt><dd>\(ShareView(share: entry.figures?.precision).html)</dd>\
            <dt>Recall by itself</dt><dd>\(ShareView(share: entry.figures?.recall).html)</dd>\(week)</dl>
            \(list("Must fire on", entry.positives, empty: "It has no positive example."))
            \(list("Must not fire on", entry.traps, empty: "It has no trap."))
            \(list("Fires wrongly on", entry.figures?.wrong ?? [], empty: "On none of the labelled sentences."))
            <p><a href="\(ConsolePath("rules"))">All rules</a></p>
            """
    }

    private func list(_ title: HTML, _ sentences: [String], empty: HTML) -> HTML {
        guard !sentences.isEmpty else { return "<h2>\(title)</h2><p class=\"quiet\">\(empty)</p>" }
        let items = sentences.map { "<li><bdi>\($0)</bdi></li>" as HTML }
        return "<h2>\(title)</h2><ul>\(items)</ul>"
    }
}
