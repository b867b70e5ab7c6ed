import Alerts
import Domain
import Foundation
import PostgresStore
import Reminders
import Runtime
import Synchronization
import TestSupport
import Testing

/// Takes every push, and does something while it is under way.
private final class SlowPushes: DevicePushing {
    private let taken = Mutex<[String]>([])
    private let body: @Sendable (Int) async throws -> Void

    /// - Parameter body: Work done during a push, which is given by its number from 0.
    init(_ body: @escaping @Sendable (Int) async throws -> Void = { _ in }) { self.body = body }

    var keys: [String] { taken.withLock { $0 } }

    func send(_ push: DevicePush, by deadline: Deadline) async throws(SendingFailure) -> String {
        let number = taken.withLock { taken in
            taken.append(push.key)
            return taken.count - 1
        }
        do { try await body(number) } catch { throw .unknown(reason: "\(error)") }
        return push.key
    }
}

/// Reminders while pushes take their time, telephones are gone and providers ask for patience.
@Suite(.timeLimit(.minutes(2)))
struct ReminderTroubleTests {
    private typealias Bench = ReminderSendingTests.Bench

    private func worker(_ bench: Bench, _ pushes: any DevicePushing) -> ReminderDispatcher {
        ReminderSendingTests.worker(bench.records, pushes, Log(to: bench.scratch.log), bench.time)
    }

    @Test func `a missed critical medicine is told although no telephone was ever registered`() async throws {
        try await ReminderSendingTests.with { bench in
            let none: ContactDetails.Device? = nil
            try await bench.records.store(none, of: bench.patient, tenant: bench.tenant, by: .soon)
            _ = try await bench.make(in: 1, isCritical: true)
            bench.time.advance(minutes: 32)
            _ = await bench.worker.look()
            #expect(try await bench.states() == [.missed])
            #expect(try await bench.alerts() == ["high medication"])
            _ = await bench.other.look()
            #expect(try await bench.alerts().count == 1)
        }
    }

    @Test func `a missed critical medicine of a closed patient is told to nobody`() async throws {
        try await ReminderSendingTests.with { bench in
            _ = try await bench.make(in: 1, isCritical: true)
            _ = try await bench.scratch.database.run(
                "UPDATE hearth.people SET closed_at = now() WHERE id = '\(bench.patient)'"
            )
            bench.time.advance(minutes: 32)
            _ = await bench.worker.look()
            #expect(try await bench.states() == [.missed])
            #expect(try await bench.alerts().isEmpty)
        }
    }

    @Test func `each missed critical medicine is told after the telephone is gone`() async throws {
        try await ReminderSendingTests.with { bench in
            _ = try await bench.make(in: 1, isCritical: true)
            _ = try await bench.make(in: 60, isCritical: true)
            let gone = #"{"error":{"status":"NOT_FOUND","details":[{"errorCode":"UNREGISTERED"}]}}"#
            bench.providers.next(.push, .refuses(404, [], gone))
            for minutes in [1.1, 32, 60] {
                bench.time.advance(minutes: minutes)
                _ = await bench.worker.look()
            }
            #expect(try await bench.states() == [.missed, .missed])
            #expect(try await bench.alerts() == ["high medication", "high medication"])
        }
    }

    @Test func `a telephone that has not reported for three days is still one that reports`() async throws {
        try await ReminderSendingTests.with { bench in
            let (first, _) = (try await bench.make(in: 1), try await bench.make(in: 3 * 1440, isCritical: true))
            bench.time.advance(minutes: 1.1)
            _ = await bench.worker.look()
            try await bench.report(first)
            for minutes in [40, 3 * 1440.0 - 41, 31] {
                bench.time.advance(minutes: minutes)
                _ = await bench.worker.look()
            }
            #expect(try await bench.alerts() == ["high medication"])
        }
    }

    @Test func `an answer that comes during a push stops the alert of another dose`() async throws {
        try await ReminderSendingTests.with { bench in
            let first = try await bench.make(in: 1, isCritical: true)
            _ = try await bench.make(in: 31)
            bench.time.advance(minutes: 1.01)
            _ = await bench.worker.look()
            guard case .once(let due) = first.schedule else { return }
            let pushes = SlowPushes { _ in
                let done = ReminderAnswer(reminder: first.id, dueAt: due, status: .done)
                let (patient, tenant, date) = (bench.patient, bench.tenant, bench.time.date)
                _ = try await bench.records.note(done, of: patient, tenant: tenant, at: date, by: .soon)
                bench.time.advance(minutes: 0.5)
            }
            bench.time.advance(minutes: 29.995)
            let slow = worker(bench, pushes)
            _ = await slow.look()
            _ = await slow.look()
            #expect(pushes.keys.count == 1)
            #expect(try await bench.alerts() == [])
            #expect(try await bench.states() == [.done, .sent])
        }
    }

    @Test func `a reminder that is made and due during a push is sent afterwards`() async throws {
        try await ReminderSendingTests.with { bench in
            _ = try await bench.make(in: 1)
            let pushes = SlowPushes { number in
                guard number == 0 else { return }
                _ = try await bench.make(.call, in: 0.1)
                bench.time.advance(minutes: 0.5)
            }
            bench.time.advance(minutes: 1.1)
            let slow = worker(bench, pushes)
            _ = await slow.look()
            bench.time.advance(minutes: 1.1)
            _ = await slow.look()
            #expect(pushes.keys.count == 2)
            #expect(try await bench.states() == [.sent, .sent])
        }
    }

    @Test func `nine slow pushes to a patient stay with one worker, and each is sent once`() async throws {
        try await ReminderSendingTests.with { bench in
            for _ in 0..<9 { _ = try await bench.make(in: 1) }
            let others = SlowPushes()
            let other = worker(bench, others)
            let pushes = SlowPushes { _ in
                bench.time.advance(minutes: 8.0 / 60)
                #expect(await other.look() == 0, "the lease is kept")
            }
            bench.time.advance(minutes: 1.1)
            _ = await worker(bench, pushes).look()
            #expect(others.keys == [] && pushes.keys.count == 9 && Set(pushes.keys).count == 9)
        }
    }

    @Test func `a push whose time ends during another is dropped, and its reminder is missed`() async throws {
        try await ReminderSendingTests.with { bench in
            for _ in 0..<2 { _ = try await bench.make(in: 1) }
            let pushes = SlowPushes { _ in bench.time.advance(minutes: 0.2) }
            bench.time.advance(minutes: 30.9)
            let slow = worker(bench, pushes)
            _ = await slow.look()
            _ = await slow.look()
            #expect(pushes.keys.count == 1)
            #expect(Set(try await bench.states()) == [.sent, .missed])
            #expect(bench.scratch.log.lines.contains { $0.json.contains("reminder_too_late") })
        }
    }

    @Test func `a provider that asks for two minutes is left alone for two minutes`() async throws {
        try await ReminderSendingTests.with { bench in
            _ = try await bench.make(in: 1)
            bench.providers.next(.push, .refuses(429, [("Retry-After", "120")]))
            bench.time.advance(minutes: 1.1)
            for requests in [1, 1, 2] {
                _ = await bench.worker.look()
                #expect(bench.providers.requests == requests)
                bench.time.advance(minutes: 1.2)
            }
            #expect(try await bench.states() == [.sent])
        }
    }

    @Test func `a push is kept for a telephone that is off as long as its reminder may still be told`() async throws {
        try await ReminderSendingTests.with { bench in
            _ = try await bench.make(in: 1)
            bench.time.advance(minutes: 21)
            _ = await bench.worker.look()
            let kept = bench.providers.messages.first?.fields["ttl"].flatMap { Int($0) } ?? 0
            #expect((500...600).contains(kept))
        }
    }

    /// The app reports itself from the background, and the pill is due a minute later.
    private func wake(_ bench: Bench, _ state: String = "background") async throws -> Reminder {
        let pill = try await bench.make(in: 1, isCritical: true)
        let beat = Heartbeat(
            of: bench.patient,
            tenant: bench.tenant,
            at: bench.time.date,
            kind: "heartbeat",
            appState: state,
            activeAt: nil,
            battery: nil,
            context: nil
        )
        _ = try await bench.records.take(beat, by: .soon)
        bench.time.advance(minutes: 1.1)
        _ = await bench.worker.look()
        return pill
    }

    @Test func `an app that can be woken is told in silence, and shown what nobody heard`() async throws {
        try await ReminderSendingTests.with { bench in
            _ = try await wake(bench)
            let first = try #require(bench.providers.messages.first?.fields)
            #expect(
                first["silent"] == "true" && first["action"] == "speak_tts" && first["text"] == "Time for blue pill."
            )
            bench.time.advance(minutes: 1.8)
            _ = await bench.worker.look()
            #expect(bench.providers.messages.count == 1)
            bench.time.advance(minutes: 0.3)
            _ = await bench.worker.look()
            let pushes = bench.providers.messages
            #expect(pushes.count == 2 && pushes.last?.fields["title"] == "blue pill")
            #expect(Set(pushes.map(\.key)).count == 1, "a telephone that was off shows it once")
            bench.time.advance(minutes: 27.5)
            _ = await bench.worker.look()
            #expect(try await bench.states() == [.sent] && bench.providers.messages.count == 2)
            bench.time.advance(minutes: 0.6)
            _ = await bench.worker.look()
            #expect(try await bench.states() == [.missed], "half an hour counts from the first push")
        }
    }

    @Test func `a reminder that was heard in silence is not shown`() async throws {
        try await ReminderSendingTests.with { bench in
            let pill = try await wake(bench)
            try await bench.report(pill)
            bench.time.advance(minutes: 5)
            _ = await bench.worker.look()
            #expect(bench.providers.messages.count == 1)
            #expect(try await bench.states() == [.sent])
        }
    }

    @Test func `an app that the person has closed is shown the reminder at once`() async throws {
        try await ReminderSendingTests.with { bench in
            _ = try await wake(bench, "terminated")
            bench.time.advance(minutes: 5)
            _ = await bench.worker.look()
            #expect(bench.providers.messages.map { $0.fields["title"] } == ["blue pill"])
        }
    }

    @Test func `a visible push that fails is tried again`() async throws {
        try await ReminderSendingTests.with { bench in
            _ = try await wake(bench)
            bench.providers.next(.push, .refuses(503))
            for _ in 0..<2 {
                bench.time.advance(minutes: 2.1)
                _ = await bench.worker.look()
            }
            #expect(bench.providers.requests == 3 && bench.providers.messages.count == 2)
            #expect(try await bench.states() == [.sent])
        }
    }
}
