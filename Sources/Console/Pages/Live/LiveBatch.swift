/// Turns that came after a place, as markup.
struct LiveBatch: Sendable {
    /// The rows, oldest first.
    var rows: [HTML] = []
    /// How many turns had gone before they could be given.
    var missed = 0
    /// The place to go on from.
    var next = 0

    /// The turns as one server-sent event: a line for each, the last line of them how many were missed.
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
