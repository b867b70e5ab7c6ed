extension String {
    /// The text on one line and no longer than a number of characters; what is cut off is marked by an
    /// ellipsis.
    ///
    /// Costs nothing for the usual text, which is short and has no control characters.
    func onOneLine(atMost limit: Int) -> String {
        let line = utf8.contains { $0 < 0x20 } ? Self.joiningLines(self) : self
        guard line.utf8.count > limit, line.count > limit else { return line }
        return line.prefix(limit - 1) + "…"
    }

    private static func joiningLines(_ text: String) -> String {
        text.split { $0.isNewline || $0.isControl }.map { $0.trimming(while: \.isWhitespace) }.joined(
            separator: " "
        )
    }
}

extension Character {
    fileprivate var isControl: Bool { unicodeScalars.allSatisfy { $0.value < 0x20 || $0.value == 0x7F } }
}
