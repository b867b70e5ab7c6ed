extension String {
    /// Whether the text has the same bytes as another; two spellings of one character are two texts.
    ///
    /// Equal texts of one length differ in their bytes only where there are accents.
    package func hasSameBytes(as other: String) -> Bool {
        guard utf8.count == other.utf8.count, self == other else { return false }
        return other.utf8.allSatisfy { $0 < 0x80 } || utf8.elementsEqual(other.utf8)
    }

    /// Whether the text holds another text, byte for byte.
    ///
    /// The standard library's search builds a table for each call, some ten microseconds; for short texts and parts, as here,
    /// comparing at each place takes well under one.
    package func holds(_ part: String) -> Bool {
        var (text, part) = (self, part)
        return text.withUTF8 { text in
            part.withUTF8 { part in
                guard let first = part.first else { return true }
                guard text.count >= part.count else { return false }
                for start in 0...(text.count - part.count) where text[start] == first {
                    if (1..<max(1, part.count)).allSatisfy({ text[start + $0] == part[$0] }) { return true }
                }
                return false
            }
        }
    }
}
