package import Conversation
package import Runtime
import Synchronization

/// Turns as they are answered, kept for a while for those who watch.
///
/// A turn's path only appends to an inbox; nothing is rendered until somebody looks, and then once for all who look: those
/// of a tenant who watch are given the same events. The last thousand turns are kept, those of this replica with the prompts
/// that were sent; who is further behind is told how many were missed.
package final class LiveFeed: TurnObserving, Service {
    package let name = "live"

    private struct Entry: Sendable {
        let number: Int
        let turn: ObservedTurn
        /// How many turns of its tenant were left out before it.
        let missed: Int
        /// The row, by whether words are hidden; made when first asked for.
        var rows: [Bool: HTML] = [:]
    }

    private struct Inbox: Sendable {
        var turns = FirstInFirstOut<(turn: ObservedTurn, missed: Int)>()
        var arrived = 0
    }

    /// Those who are given the same events.
    private struct Audience: Hashable, Sendable {
        let tenant: TenantID
        let isMasked: Bool
    }

    /// What an audience was given last: all who have come to its beginning are given the same, and whoever is behind catches
    /// up to its end.
    private struct Link: Sendable {
        let start: Int
        let end: Int
        let event: [UInt8]
    }

    /// How many turns are kept.
    static let capacity = 1_000

    private let inbox = Mutex(Inbox())
    private let kept = Mutex<[Entry]>([])
    private let links = Mutex<[Audience: Link]>([:])
    /// Who watches.
    let watchers: LiveWatchers
    private let missed: Counter

    /// Makes a feed.
    package init(_ metrics: Metrics) {
        watchers = LiveWatchers(metrics)
        missed = metrics.counter(
            "hearth_console_turns_missed_total",
            "Turns that a live page was too far behind to be shown, summed over the pages."
        )
    }

    package func start() async throws {}

    /// Ends the live pages, each within a quarter of a second.
    package func drain(by deadline: Deadline) async {
        watchers.close()
    }

    package func observe(_ turn: ObservedTurn) {
        take([turn], missed: 0, of: turn.turn.tenant)
    }

    /// Takes turns in order, of which some were left out before the first.
    func take(_ turns: [ObservedTurn], missed left: Int, of tenant: TenantID) {
        if turns.isEmpty, left > 0 { missed.add(left) }
        inbox.withLock { inbox in
            for (index, turn) in turns.enumerated() {
                inbox.turns.append((turn, index == 0 ? left : 0))
                inbox.arrived += 1
                if inbox.turns.count > Self.capacity { _ = inbox.turns.popFirst() }
            }
        }
    }

    /// What is new for a watcher as one event, and the place to go on from; nil where nothing is.
    ///
    /// Watchers of a tenant come to the same places, so that an event is made once for all of them.
    ///
    /// - Parameter most: How many rows at most, the newest.
    func event(
        of tenant: TenantID,
        after place: Int,
        masking: Masking,
        most: Int
    ) -> (bytes: [UInt8], next: Int)? {
        let audience = Audience(tenant: tenant, isMasked: masking.isOn)
        return links.withLock { links in
            let last = links[audience]
            if let last, last.start == place { return (last.event, last.end) }
            let end = last.flatMap { place < $0.end ? $0.end : nil }
            let batch = batch(of: tenant, after: place, until: end, masking: masking, most: most)
            guard batch.next > place else { return nil }
            let event = batch.rows.isEmpty && batch.missed == 0 ? [] : batch.event
            if end == nil { links[audience] = Link(start: place, end: batch.next, event: event) }
            return (event, batch.next)
        }
    }

    /// The turns of a tenant after a place.
    ///
    /// - Parameters:
    ///   - place: Where the last batch ended; nil for the beginning of what is kept, of which nothing is missed.
    ///   - end: The place to stop at; nil for what came last.
    ///   - most: How many at most, the newest; those left out count as missed.
    func batch(
        of tenant: TenantID,
        after place: Int?,
        until end: Int? = nil,
        masking: Masking,
        most: Int = LiveFeed.capacity
    ) -> LiveBatch {
        let batch = kept.withLock { kept in
            takeIn(&kept)
            let first = kept.first?.number ?? inbox.withLock { $0.arrived - $0.turns.count }
            var batch = LiveBatch()
            batch.next = min(end ?? .max, (kept.last?.number).map { $0 + 1 } ?? first)
            if let place { batch.missed = max(0, first - place) }
            let start = place.map { max(0, $0 - first) } ?? 0
            guard start < batch.next - first else { return batch }
            let shown = kept.indices[start..<(batch.next - first)].filter { kept[$0].turn.turn.tenant == tenant }
            batch.missed += max(0, shown.count - most) + shown.reduce(0) { $0 + kept[$1].missed }
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
        while let arrival = arrivals.popFirst() {
            kept.append(Entry(number: number, turn: arrival.turn, missed: arrival.missed))
            number += 1
        }
        if kept.count > 2 * Self.capacity { kept.removeFirst(kept.count - Self.capacity) }
    }
}
