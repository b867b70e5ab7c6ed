import Conversation
import Domain
import Foundation
import PostgresStore
import Runtime
import TestSupport
import Testing

@testable import Commands
@testable import Console

/// Two replicas on one database, each with its feed.
@Suite(.timeLimit(.minutes(1))) struct ReplicaFanoutTests {
    /// One replica's part in the live pages.
    private struct Side {
        let feed: LiveFeed
        let relay: ReplicaFanout
        let listener: PostgresListener

        /// A replica whose listener hears.
        init(_ scratch: ScratchRecords) async throws {
            let connected = OneShot<Void>()
            feed = LiveFeed(Metrics())
            relay = ReplicaFanout(feed, scratch.records, scratch.records, metrics: Metrics(), log: Log(to: scratch.log))
            listener = PostgresListener(
                scratch.database.address,
                on: scratch.loops.loops[0],
                log: Log(to: scratch.log),
                handlers: [
                    TurnEvent.channel: { [relay] news in
                        relay.heard(news)
                        if news == .connected { connected.settle(()) }
                    }
                ]
            )
            await listener.start()
            await connected.value(ifCancelled: ())
        }

        func rows(of tenant: TenantID) -> String {
            feed.batch(of: tenant, after: nil, masking: Masking(for: .operator)).rows.map(\.text).joined()
        }

        func end() async {
            await relay.drain(by: .soon)
            await listener.drain(by: .soon)
        }
    }

    private func withSides(_ body: (ScratchRecords, Side, Side) async throws -> Void) async throws {
        try await withScratchRecords { scratch in
            let (here, there) = (try await Side(scratch), try await Side(scratch))
            try await body(scratch, here, there)
            await here.end()
            await there.end()
        }
    }

    @Test func `who watches at one replica sees what another answers, once each and with its stages`() async throws {
        try await withSides { scratch, here, there in
            #expect(here.feed.watchers.join(scratch.tenant))
            here.relay.watched()
            let deadline = Deadline.soon
            var answered: [MessageID] = []
            // The other replica hears that somebody watches a moment later; what it answers before is not told.
            while here.rows(of: scratch.tenant).isEmpty, !deadline.hasPassed() {
                answered.append(try await scratch.answer("It rains \(answered.count)", shownTo: there.relay))
                try await SystemTime().sleep(until: .now + .milliseconds(50))
            }
            let rows = here.rows(of: scratch.tenant)
            #expect(rows.contains("It rains") && rows.contains("Maggie") && rows.contains("1.3 s total"))
            for message in answered {
                #expect(rows.components(separatedBy: "/\(message)\"").count <= 2, "no turn is shown twice")
            }
            #expect(here.relay.showsOtherReplicas == true)
            #expect(there.rows(of: scratch.tenant).components(separatedBy: "<tr").count == answered.count + 1)
            #expect(here.rows(of: TenantID()).isEmpty)
            here.feed.watchers.leave(scratch.tenant)
        }
    }

    @Test func `without the database a replica shows its own turns and says that it hears no others`() async throws {
        try await withSides { scratch, here, _ in
            #expect(here.feed.watchers.join(scratch.tenant))
            await scratch.pool.drain(by: .soon)
            here.relay.watched()
            let deadline = Deadline.soon
            while here.relay.showsOtherReplicas != false, !deadline.hasPassed() {
                try await SystemTime().sleep(until: .now + .milliseconds(20))
            }
            #expect(here.relay.showsOtherReplicas == false)
            here.feed.watchers.leave(scratch.tenant)
        }
    }

    @Test func `when nobody watches, nothing is told`() async throws {
        try await withSides { scratch, here, there in
            try await scratch.answer("It rains", shownTo: there.relay)
            #expect(here.rows(of: scratch.tenant).isEmpty && here.relay.showsOtherReplicas == nil)
        }
    }
}
