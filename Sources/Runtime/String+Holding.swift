extension String {
    /// Returns whether every byte of the text satisfies a condition.
    ///
    /// Reads the bytes in place, which takes a tenth of the time of an iterator over `utf8`.
    package func allBytes(satisfy isOfKind: (UInt8) -> Bool) -> Bool {
        var text = self
        return text.withUTF8 { $0.allSatisfy(isOfKind) }
    }

    /// Returns whether two texts have the same bytes; two spellings of one character differ.
    package func hasSameBytes(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        var (text, other) = (self, other)
        return text.withUTF8 { text in other.withUTF8 { text.elementsEqual($0) } }
    }

    /// Returns whether the text holds another text, byte for byte.
    ///
    /// The standard library's search builds a table for each call, which takes some ten microseconds. For short texts
    /// a comparison at each place takes well under one.
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
