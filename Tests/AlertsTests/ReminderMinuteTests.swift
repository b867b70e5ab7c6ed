import Alerts
import Domain
import Foundation
import PostgresStore
import Runtime
import Synchronization
import TestSupport
import Testing

/// Takes every push at once and keeps when it came.
private final class InstantPushes: DevicePushing {
    let times = Mutex<[String: [Instant]]>([:])

    var count: Int { times.withLock { $0.count } }

    func send(_ push: DevicePush, by deadline: Deadline) async throws(SendingFailure) -> String {
        times.withLock { $0[push.key, default: []].append(.now) }
        return push.key
    }
}

/// Many reminders that are due within one minute, from PostgreSQL to a provider that takes them at once.
@Suite(.timeLimit(.minutes(30)))
struct ReminderMinuteTests {
    private static let patients = PropertyCases.count(300, of: 100_000)

    @Test func `what is due within one minute is handed over once`() async throws {
        try await withScratchRecords(settings: PoolSettings(connectionsPerLoop: 8)) { scratch in
            try await scratch.database.run(
                """
                INSERT INTO hearth.people (id, tenant_id, role, display_name, device_token, device_platform)
                SELECT gen_random_uuid(), '\(scratch.tenant)', 'patient', 'Person ' || n, 'token-' || n, 'ios'
                FROM generate_series(1, \(Self.patients)) n;
                INSERT INTO hearth.reminders (patient_id, id, tenant_id, title, kind, due_at, scheduled_at)
                SELECT id, gen_random_uuid(), tenant_id, 'blue pill', 'medicine', now() - random() * interval '1 minute',
                    now() - interval '1 hour'
                FROM hearth.people WHERE display_name LIKE 'Person %';
                """
            )
            let pushes = InstantPushes()
            let figures = ReminderMetrics(in: Metrics())
            let log = Log(to: scratch.log)
            let workers = (0..<2).map { _ in
                let delivery = ReminderDelivery(pushes, replies: { CannedReplies([:]) }, figures: figures, log: log)
                let round = ReminderRound(scratch.records, delivery, lease: .seconds(60), figures: figures, log: log)
                return ReminderDispatcher(scratch.records, round, log: log)
            }
            let began = Instant.now
            for worker in workers { try await worker.start() }
            try await eventually(within: .seconds(1500)) { pushes.count >= Self.patients }
            let taken = Instant.now.since(began)
            for worker in workers { await worker.drain(by: .soon) }
            let times = pushes.times.withLock { $0 }
            print("FIGURE \(times.count) reminders of one minute were handed over in \(taken.seconds) s")
            #expect(times.count == Self.patients)
            #expect(times.values.allSatisfy { $0.count == 1 }, "each once")
        }
    }
}
