/// Rows under named columns, in a frame.
///
/// On a narrow screen each row becomes a card of its own, in which the cells carry the names of their columns; a table of
/// many columns scrolls sideways instead.
package struct Table: Sendable {
    /// As many columns as a card may have lines.
    private static let mostLines = 8

    private let caption: String
    private let columns: [String]
    private var rows: [[HTML]] = []

    /// Makes a table without rows.
    ///
    /// - Parameter caption: What the table shows, for those who hear it.
    package init(_ caption: String, columns: [String]) {
        self.caption = caption
        self.columns = columns
    }

    /// Adds a row, with as many cells as there are columns; the first one names it.
    package mutating func add(_ cells: HTML...) { add(cells) }

    /// Adds a row, with as many cells as there are columns; the first one names it.
    package mutating func add(_ cells: [HTML]) {
        precondition(cells.count == columns.count, "the table \(caption) has \(columns.count) columns")
        rows.append(cells)
    }

    /// Whether it has no rows.
    package var isEmpty: Bool { rows.isEmpty }

    /// The table; a sentence in its place when it has no rows.
    package func html(ifEmpty sentence: String = "There is nothing here yet.") -> HTML {
        guard !rows.isEmpty else { return "<p class=\"quiet\">\(sentence)</p>" }
        let heads = columns.map { "<th scope=\"col\">\($0)</th>" as HTML }
        let body = rows.map { cells in
            let rest = zip(columns, cells).dropFirst().map { "<td data-label=\"\($0)\">\($1)</td>" as HTML }
            return "<tr><th scope=\"row\">\(cells.first)</th>\(rest)</tr>" as HTML
        }
        let kind: HTML = columns.count <= Self.mostLines ? " class=\"cards\"" : ""
        return """
            <div class="scroll" role="region" aria-label="\(caption)" tabindex="0"><table\(kind)><caption>\(caption)</caption>\
            <thead><tr>\(heads)</tr></thead><tbody>\(body)</tbody></table></div>
            """
    }
}
