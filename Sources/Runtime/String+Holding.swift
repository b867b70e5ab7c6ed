extension String {
    /// Whether every byte of the text is of a kind; walks through the bytes where they lie, which takes a tenth of the time
    /// of an iterator over `utf8`.
    package func allBytes(satisfy isOfKind: (UInt8) -> Bool) -> Bool {
        var text = self
        return text.withUTF8 { $0.allSatisfy(isOfKind) }
    }

    /// Whether the text has the same bytes as another; two spellings of one character are two texts.
    package func hasSameBytes(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        var (text, other) = (self, other)
        return text.withUTF8 { text in other.withUTF8 { text.elementsEqual($0) } }
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
