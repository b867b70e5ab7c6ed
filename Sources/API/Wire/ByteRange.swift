/// Reads one range of bytes from a `Range` field (RFC 9110, section 14).
enum ByteRange: Equatable {
    /// The whole body: no range is asked for, or one that may be ignored.
    case whole
    /// The bytes of a range.
    case part(ClosedRange<Int>)
    /// No byte of the body lies in the range.
    case unsatisfiable

    /// Reads a field for a body of some bytes; several ranges, other units and malformed fields are ignored.
    init(_ field: String?, of count: Int) {
        self = .whole
        guard let field, field.lowercased().hasPrefix("bytes="), count > 0 else { return }
        let text = field.dropFirst("bytes=".count).filter { $0 != " " && $0 != "\t" }
        let ends = text.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, !text.contains(","), let first = Self.number(ends[0]), let last = Self.number(ends[1])
        else { return }
        switch (first, last) {
        case (nil, nil): return
        case (nil, let suffix?): self = suffix == 0 ? .unsatisfiable : .part(max(0, count - suffix)...count - 1)
        case (let first?, nil): self = first < count ? .part(first...count - 1) : .unsatisfiable
        case (let first?, let last?):
            guard first <= last else { return }
            self = first < count ? .part(first...min(last, count - 1)) : .unsatisfiable
        }
    }

    /// Reads digits; nil inside for no digits, and nil for anything else.
    private static func number(_ text: Substring) -> Int?? {
        guard !text.isEmpty else { return .some(nil) }
        guard text.utf8.allSatisfy(\.isDigit) else { return nil }
        // A number too long for an integer lies beyond every body.
        return .some(Int(text) ?? .max)
    }
}
