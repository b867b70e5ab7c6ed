import Runtime

/// A turn's ledger as its column holds it: an array of objects, times in milliseconds.
///
/// Written without an encoder or a tree of values, since every turn writes one.
enum StoredSpans {
    /// The spans as JSON text.
    static func json(_ spans: [Trace.Span]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(spans.count * 128 + 2)
        text.append(UInt8(ascii: "["))
        for (index, span) in spans.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            append(span, to: &text)
        }
        text.append(UInt8(ascii: "]"))
        return text
    }

    private static func append(_ span: Trace.Span, to text: inout [UInt8]) {
        text.append(#"{"stage":"#)
        text.appendJSONString(span.stage)
        text.append(#","start":"#)
        text.appendMilliseconds(span.start, digits: 4)
        text.append(#","duration":"#)
        text.appendMilliseconds(span.duration, digits: 4)
        text.append(#","outcome":"#)
        text.appendJSONString(span.outcome.rawValue)
        if !span.note.isEmpty {
            text.append(#","note":"#)
            text.appendJSONString(span.note)
        }
        text.append(UInt8(ascii: "}"))
    }
}
