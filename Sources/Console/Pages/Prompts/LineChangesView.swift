/// Changed lines in the form of `diff -u`, marked by element and colour.
struct LineChangesView: Sendable {
    private static let shown = 400
    let lines: [String]

    var html: HTML {
        guard !lines.isEmpty else { return "<p class=\"quiet\">Nothing differs.</p>" }
        let rows = lines.prefix(Self.shown).map(row)
        let more: HTML =
            lines.count > Self.shown ? "<p class=\"quiet\">and \(lines.count - Self.shown) more lines</p>" : ""
        return """
            <div class="scroll" role="region" aria-label="Changed lines" tabindex="0"><pre class="changes">\(rows)</pre></div>\
            \(more)
            """
    }

    private func row(_ line: String) -> HTML {
        if line.hasPrefix("+++") || line.hasPrefix("---") { return "<b>\(line)</b>\n" }
        if line.hasPrefix("+") { return "<ins>\(line)</ins>\n" }
        if line.hasPrefix("-") { return "<del>\(line)</del>\n" }
        return "\(line)\n"
    }
}
