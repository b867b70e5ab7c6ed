package import Conversation
package import Runtime
import Synchronization

/// The turns of this replica as they are answered, kept for a while for those who watch.
///
/// A turn's path only appends to an inbox; nothing is rendered until somebody looks, and then once for all who look. The last
/// thousand turns are kept, with the prompts that were sent; who is further behind is told how many were missed.
package final class LiveFeed: TurnObserving, Service {
    package let name = "live"

    /// Turns that came after a place, as markup.
    struct Batch: Sendable {
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

    private struct Entry: Sendable {
        let number: Int
        let turn: ObservedTurn
        /// The row, by whether words are hidden; made when first asked for.
        var rows: [Bool: HTML] = [:]
    }

    private struct Inbox: Sendable {
        var turns = FirstInFirstOut<ObservedTurn>()
        var arrived = 0
    }

    private struct Watchers: Sendable {
        var count = 0
        var isClosed = false
    }

    /// How many turns are kept.
    static let capacity = 1_000
    /// How many may watch at once.
    static let mostWatchers = 200

    private let inbox = Mutex(Inbox())
    private let kept = Mutex<[Entry]>([])
    private let watchers = Mutex(Watchers())
    private let watching: Gauge
    private let missed: Counter

    /// Makes a feed.
    package init(_ metrics: Metrics) {
        watching = metrics.gauge("hearth_console_watchers", "Open live pages.")
        missed = metrics.counter(
            "hearth_console_turns_missed_total",
            "Turns that a live page was too far behind to be shown, summed over the pages."
        )
    }

    package func start() async throws {}

    /// Ends the live pages, each within a quarter of a second.
    package func drain(by deadline: Deadline) async {
        watchers.withLock { $0.isClosed = true }
    }

    package func observe(_ turn: ObservedTurn) {
        inbox.withLock { inbox in
            inbox.turns.append(turn)
            inbox.arrived += 1
            if inbox.turns.count > Self.capacity { _ = inbox.turns.popFirst() }
        }
    }

    /// Whether the live pages are to end.
    var isClosed: Bool { watchers.withLock { $0.isClosed } }

    /// Lets somebody watch; false when as many do as may.
    func join() -> Bool {
        let hasJoined = watchers.withLock { watchers in
            guard watchers.count < Self.mostWatchers, !watchers.isClosed else { return false }
            watchers.count += 1
            return true
        }
        if hasJoined { watching.add(1) }
        return hasJoined
    }

    /// Ends what ``join()`` began.
    func leave() {
        watchers.withLock { $0.count -= 1 }
        watching.add(-1)
    }

    /// The turns of a tenant after a place.
    ///
    /// - Parameters:
    ///   - place: Where the last batch ended; nil for the beginning of what is kept, of which nothing is missed.
    ///   - most: How many at most, the newest; those left out count as missed.
    func batch(of tenant: TenantID, after place: Int?, masking: Masking, most: Int = LiveFeed.capacity) -> Batch {
        let batch = kept.withLock { kept in
            takeIn(&kept)
            let first = kept.first?.number ?? inbox.withLock { $0.arrived - $0.turns.count }
            var batch = Batch()
            batch.next = (kept.last?.number).map { $0 + 1 } ?? first
            if let place { batch.missed = max(0, first - place) }
            let start = place.map { max(0, $0 - first) } ?? 0
            guard start < kept.count else { return batch }
            let shown = kept.indices[start...].filter { kept[$0].turn.turn.tenant == tenant }
            batch.missed += max(0, shown.count - most)
            for index in shown.suffix(most) {
                let row = kept[index].rows[masking.isOn] ?? LiveRow(kept[index].turn, masking).html.inOneLine
                kept[index].rows[masking.isOn] = row
                batch.rows.append(row)
            }
            return batch
        }
        if batch.missed > 0 { missed.add(batch.missed) }
        return batch
    }

    /// A turn that is still kept; nil when it is a tenant's that is not named, or has gone.
    func turn(_ message: MessageID, tenant: TenantID) -> ObservedTurn? {
        kept.withLock { kept in
            takeIn(&kept)
            return kept.last { $0.turn.reply.message == message && $0.turn.turn.tenant == tenant }?.turn
        }
    }

    /// Moves what has arrived to what is kept, in order; twice the capacity is let grow, so that the front is cut seldom.
    private func takeIn(_ kept: inout [Entry]) {
        let (turns, arrived) = inbox.withLock { inbox in
            defer { inbox.turns = FirstInFirstOut() }
            return (inbox.turns, inbox.arrived)
        }
        var arrivals = turns
        var number = arrived - arrivals.count
        // Entries are numbered without gaps; when turns have gone unseen, what was kept before them goes as well.
        if let last = kept.last, last.number + 1 != number, arrivals.count > 0 { kept = [] }
        while let turn = arrivals.popFirst() {
            kept.append(Entry(number: number, turn: turn))
            number += 1
        }
        if kept.count > 2 * Self.capacity { kept.removeFirst(kept.count - Self.capacity) }
    }
}
