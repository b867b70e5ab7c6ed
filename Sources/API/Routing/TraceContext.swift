/// A position in a distributed trace, in the form of the W3C Recommendation "Trace Context" (level 1).
package struct TraceContext: Sendable, Equatable {
    /// Trace identity: 32 lower-case hexadecimal digits.
    package let traceID: String
    /// Identity of this service's span: 16 lower-case hexadecimal digits.
    package let spanID: String
    /// True when the caller records the trace.
    package let isSampled: Bool

    /// Joins the caller's trace with a new span; starts a new trace when the header is missing or invalid.
    package init(joining header: String?) {
        let parts = header.flatMap(Self.parts)
        traceID = parts?.trace ?? Self.random() + Self.random()
        spanID = Self.random()
        isSampled = parts?.isSampled ?? false
    }

    /// Header value that names this service's span.
    package var traceparent: String { "00-\(traceID)-\(spanID)-\(isSampled ? "01" : "00")" }

    private static func parts(_ header: String) -> (trace: String, isSampled: Bool)? {
        let parts = header.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count >= 4, isHexadecimal(parts[0], 2), parts[0] != "ff", parts[0] != "00" || parts.count == 4,
            isHexadecimal(parts[1], 32), parts[1].contains(where: { $0 != "0" }),
            isHexadecimal(parts[2], 16), parts[2].contains(where: { $0 != "0" }),
            isHexadecimal(parts[3], 2), let flags = UInt8(parts[3], radix: 16)
        else { return nil }
        return (String(parts[1]), flags & 1 == 1)
    }

    private static func isHexadecimal(_ text: Substring, _ count: Int) -> Bool {
        text.utf8.count == count
            && text.utf8.allSatisfy { $0.isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0) }
    }

    /// Returns sixteen random digits that are not all zero.
    private static func random() -> String {
        let digits = String(UInt64.random(in: 1...UInt64.max), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
