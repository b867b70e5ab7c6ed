/// Rendered turns after a position of the feed.
struct LiveBatch: Sendable {
    /// Rows, oldest first.
    var rows: [HTML] = []
    /// Number of turns that were dropped before they could be sent.
    var missed = 0
    /// Position after the batch.
    var next = 0

    /// The turns as one server-sent event: one line per row, then a line with the number of dropped turns.
    var event: [UInt8] {
        var bytes = Array("id: \(next)\n".utf8)
        for row in rows {
            bytes += "data: ".utf8
            bytes += row.text.utf8
            bytes.append(0x0A)
        }
        bytes += "data: \(missed)\n\n".utf8
        return bytes
    }
}
