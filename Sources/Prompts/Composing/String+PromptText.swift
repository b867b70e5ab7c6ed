extension String {
    /// The text on one line with a maximum number of characters; an ellipsis marks a cut.
    ///
    /// Short text without control characters, the usual case, costs nothing.
    func onOneLine(atMost limit: Int) -> String {
        let line = unicodeScalars.contains(where: \.endsLineOrControls) ? Self.joiningLines(self) : self
        guard line.utf8.count > limit, line.count > limit else { return line }
        return line.prefix(limit - 1) + "…"
    }

    private static func joiningLines(_ text: String) -> String {
        text.unicodeScalars.split(whereSeparator: \.endsLineOrControls)
            .map { Substring($0).trimming(while: \.isWhitespace) }
            .filter { !$0.isEmpty }
            .joined(separator: " ")
    }
}

extension Unicode.Scalar {
    /// True for control characters and line ends beyond ASCII.
    fileprivate var endsLineOrControls: Bool {
        value < 0x20 || 0x7F...0x9F ~= value || value == 0x2028 || value == 0x2029
    }
}
