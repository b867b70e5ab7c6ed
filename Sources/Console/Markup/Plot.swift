/// A line chart over time, rendered on the server.
///
/// Each line has its name at its end and a stroke style besides its
/// colour.
package struct Plot: Sendable {
    /// One line of the chart.
    package struct Line: Sendable {
        /// Name of the line.
        package let name: String
        /// Values, oldest first; nil where nothing was measured.
        package let values: [Double?]

        package init(_ name: String, _ values: [Double?]) {
            self.name = name
            self.values = values
        }
    }

    private static let width = 640.0
    private static let height = 200.0
    private static let left = 48.0
    private static let right = 60.0
    private static let bottom = 22.0
    private static let top = 10.0

    private let title: String
    private let lines: [Line]
    private let limit: Double?
    private let unit: String
    private let span: String

    /// Creates a chart of at most three lines.
    ///
    /// - Parameters:
    ///   - limit: Value that is drawn as a dashed line and always visible; nil for none.
    ///   - span: Time that the chart covers, in words.
    package init(_ title: String, unit: String, lines: [Line], limit: Double? = nil, span: String) {
        self.title = title
        self.unit = unit
        self.lines = Array(lines.prefix(3))
        self.limit = limit
        self.span = span
    }

    private var most: Double {
        max(limit ?? 0, lines.flatMap(\.values).compactMap { $0 }.max() ?? 0, 1e-9) * 1.05
    }

    /// The chart as SVG; its accessible label gives the latest values.
    package var html: HTML {
        let drawn = lines.enumerated().map { draw($1, number: $0) }
        let rules = [0, 0.5, 1].map { rule(at: $0 * most) }
        return """
            <figure><svg viewBox="0 0 640 200" width="640" height="200" role="img" aria-label="\(summary)">\(rules)\
            \(limitLine)\(drawn)<text class="soft" x="48" y="196">\(span) ago</text>\
            <text class="soft" x="580" y="196" text-anchor="end">now</text></svg><figcaption>\(title)</figcaption></figure>
            """
    }

    private var summary: String {
        let ends = lines.map { line in
            "\(line.name) \(line.values.last.flatMap { $0 }.map { "\(Figure.short($0)) \(unit)" } ?? "nothing")"
        }
        return "\(title). Now: \(ends.joined(separator: ", "))."
    }

    private func rule(at value: Double) -> HTML {
        let y = Figure.short(y(value))
        return """
            <line class="axis" x1="48" x2="580" y1="\(y)" y2="\(y)"/>\
            <text class="soft" x="44" y="\(y)" dy="4" text-anchor="end">\(Figure.short(value))</text>
            """
    }

    private var limitLine: HTML? {
        limit.map {
            "<line class=\"limit\" x1=\"48\" x2=\"580\" y1=\"\(Figure.short(y($0)))\" y2=\"\(Figure.short(y($0)))\"/>"
        }
    }

    private func draw(_ line: Line, number: Int) -> HTML {
        var path = ""
        var isDown = false
        for (index, value) in line.values.enumerated() {
            guard let value else {
                isDown = false
                continue
            }
            let x =
                Self.left + Double(index) / Double(max(1, line.values.count - 1))
                * (Self.width - Self.left - Self.right)
            path += "\(isDown ? "L" : "M")\(Figure.short(x)) \(Figure.short(y(value)))"
            isDown = true
        }
        guard let last = line.values.last(where: { $0 != nil })?.flatMap({ $0 }) else { return "" }
        return """
            <path class="line line\(number)" d="\(path)"/>\
            <text x="584" y="\(Figure.short(y(last)))" dy="4">\(line.name)</text>
            """
    }

    private func y(_ value: Double) -> Double {
        Self.top + (1 - min(1, value / most)) * (Self.height - Self.top - Self.bottom)
    }
}
