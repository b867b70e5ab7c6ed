import Conversation
import Domain
import Foundation
import Runtime
import Testing

@testable import Console

@Suite struct LiveFeedTests {
    private static let tenant = TenantID()
    private static let open = Masking(for: .operator)
    private let feed = LiveFeed(Metrics())

    private func observe(_ text: String, tenant: TenantID = LiveFeedTests.tenant) -> MessageID {
        let turn = Turn(tenant: tenant, patient: PatientID(), text: text, spokenAt: Date(), receivedAt: Date())
        let reply = Reply(
            text: "Good.",
            keepListening: false,
            conversation: ConversationID(),
            message: turn.id,
            source: .model,
            degraded: [],
            flags: [],
            level: .none,
            alertSent: false,
            promptVersion: "1",
            usage: TokenUsage()
        )
        feed.observe(
            ObservedTurn(
                turn: turn,
                patient: nil,
                screening: Screening(),
                reply: reply,
                provenance: ReplyProvenance(facts: 0, exchanges: 0, reminders: 0, recalled: [], calls: []),
                prompt: nil,
                spans: [],
                elapsed: .zero,
                date: Date()
            )
        )
        return turn.id
    }

    private func batch(after place: Int?, most: Int = LiveFeed.capacity) -> LiveBatch {
        feed.batch(of: Self.tenant, after: place, masking: Self.open, most: most)
    }

    @Test func `an erasure drops what was said, shown or not, and what is said later is shown`() async throws {
        let shown = observe("before")
        #expect(feed.turn(shown, tenant: Self.tenant) != nil)
        let waiting = observe("meanwhile")
        try await feed.erase(PatientID(), of: Self.tenant, by: Deadline(after: .seconds(10)))
        for dropped in [shown, waiting] { #expect(feed.turn(dropped, tenant: Self.tenant) == nil) }
        let later = observe("after")
        #expect(feed.turn(later, tenant: Self.tenant) != nil)
        #expect(feed.batch(of: Self.tenant, after: nil, masking: Self.open).rows.count == 1)
    }

    @Test func `each watcher is given every turn once, in order`() {
        let empty = batch(after: nil)
        #expect(empty.rows.isEmpty && empty.next == 0)
        _ = observe("one")
        let first = batch(after: empty.next)
        _ = observe("two")
        _ = observe("three")
        let second = batch(after: first.next)
        #expect(first.rows.count == 1 && first.rows[0].text.contains("one"))
        #expect(second.rows.count == 2 && second.rows[1].text.contains("three"))
        #expect(batch(after: empty.next).rows.count == 3)
        #expect(batch(after: second.next).rows.isEmpty)
        #expect([first, second].allSatisfy { $0.missed == 0 })
    }

    @Test func `what is more than may be given, or gone, is counted as missed`() {
        for number in 0..<30 { _ = observe("\(number)") }
        let batch = batch(after: 0, most: 25)
        #expect(batch.rows.count == 25 && batch.missed == 5 && batch.next == 30)
        for number in 0..<LiveFeed.capacity + 50 { _ = observe("\(number)") }
        let late = self.batch(after: batch.next)
        #expect(late.rows.count == LiveFeed.capacity && late.missed == 50)
        for number in 0..<3 * LiveFeed.capacity {
            _ = observe("\(number)")
            if number.isMultiple(of: 100) { _ = self.batch(after: late.next, most: 1) }
        }
        let last = self.batch(after: late.next)
        #expect(last.rows.count + last.missed == 3 * LiveFeed.capacity)
        #expect(last.rows.count <= 2 * LiveFeed.capacity)
    }

    @Test func `a tenant's turns are given to no other`() {
        let other = TenantID()
        let message = observe("secret", tenant: other)
        #expect(batch(after: nil).rows.isEmpty)
        #expect(feed.turn(message, tenant: Self.tenant) == nil)
        #expect(feed.turn(message, tenant: other) != nil)
        #expect(feed.batch(of: other, after: nil, masking: Self.open).rows.count == 1)
    }

    @Test func `no text of a row begins a line of the stream`() {
        _ = observe("a\ndata: b\r\n\r\nevent: end\n")
        let event = String(decoding: batch(after: nil).event, as: UTF8.self)
        #expect(event.hasPrefix("id: 1\ndata: <tr "))
        #expect(event.hasSuffix("</tr>\ndata: 0\n\n"))
        #expect(event.split(separator: "\n", omittingEmptySubsequences: false).count == 5)
        #expect(!event.contains("\r"))
    }

    @Test func `so many may watch, and none once the service ends`() async {
        for _ in 0..<LivePageRegistry.most { #expect(feed.watchers.join(Self.tenant)) }
        #expect(!feed.watchers.join(Self.tenant))
        feed.watchers.leave(Self.tenant)
        #expect(feed.watchers.join(Self.tenant))
        feed.watchers.leave(Self.tenant)
        await feed.drain(by: Deadline(after: .zero))
        #expect(!feed.watchers.join(Self.tenant) && feed.watchers.isClosed)
    }
}
