extension String {
    /// The text on one line and no longer than a number of characters; what is cut off is marked by an
    /// ellipsis.
    ///
    /// Costs nothing for the usual text, which is short and has no control characters.
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
    /// Whether it is a control character, or one of the line ends beyond ASCII.
    fileprivate var endsLineOrControls: Bool {
        value < 0x20 || 0x7F...0x9F ~= value || value == 0x2028 || value == 0x2029
    }
}
