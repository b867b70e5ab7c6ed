import Alerts
import Domain
import Foundation
import HTTPClient
import PostgresStore
import Reminders
import Runtime
import TestSupport
import Testing

/// Reminders from PostgreSQL to Firebase's double.
@Suite(.timeLimit(.minutes(2)))
struct ReminderSendingTests {
    /// A patient with a telephone, and a worker whose clock a test moves.
    struct Bench: Sendable {
        let scratch: ScratchRecords
        let providers: AlertProviders
        let time: MovedTime
        let worker: ReminderDispatcher
        let other: ReminderDispatcher

        var records: PostgresRecords { scratch.records }
        var patient: PatientID { scratch.patient.id }
        var tenant: TenantID { scratch.tenant }

        /// Makes a reminder that is due so many minutes from now.
        func make(
            _ kind: Reminder.Kind = .medicine,
            in minutes: Double,
            isCritical: Bool = false
        ) async throws -> Reminder {
            let due = time.date.addingTimeInterval(minutes * 60)
            let reminder = ReminderPeople.once("blue pill", kind, at: due, isCritical: isCritical)
            try await records.store(reminder, of: patient, tenant: tenant, by: .soon)
            return reminder
        }

        func states() async throws -> [Occurrence.State] {
            let day = time.date
            return try await records.occurrences(
                of: patient,
                tenant: tenant,
                from: day.addingTimeInterval(-86_400),
                until: day.addingTimeInterval(86_400),
                by: .soon
            ).map(\.state)
        }

        /// Reports that the telephone has spoken a reminder.
        func report(_ reminder: Reminder) async throws {
            guard case .once(let due) = reminder.schedule else { return }
            let heard = ReminderAnswer(reminder: reminder.id, dueAt: due, status: .heard)
            #expect(try await records.note(heard, of: patient, tenant: tenant, at: time.date, by: .soon))
        }

        func alerts() async throws -> [String] {
            try await scratch.database.run("SELECT level || ' ' || category FROM hearth.alerts").map { $0[0] }
        }
    }

    static let replies = CannedReplies(["reminder.medicine": ["en": ["Time for {title}."]]])

    static func with(_ body: (Bench) async throws -> Void) async throws {
        try await withScratchRecords { scratch in
            try await Channels.with { channels in
                let client = HTTPClient(on: channels.loops)
                guard let account = ServiceAccount(json: channels.providers.accountFile) else { return }
                let firebase = FirebaseMessaging(account, Provider(client), base: channels.providers.url)
                let time = MovedTime()
                let workers = (0..<2).map { _ in Self.worker(scratch.records, firebase, Log(to: scratch.log), time) }
                let (patient, tenant) = (scratch.patient.id, scratch.tenant)
                try await scratch.records.store(ReminderPeople.device, of: patient, tenant: tenant, by: .soon)
                let bench = Bench(
                    scratch: scratch,
                    providers: channels.providers,
                    time: time,
                    worker: workers[0],
                    other: workers[1]
                )
                let outcome = await Result { try await body(bench) }
                await client.drain(by: Deadline(after: .seconds(2)))
                #expect(channels.providers.violations == [])
                try outcome.get()
            }
        }
    }

    static func worker(
        _ records: PostgresRecords,
        _ pushes: any DevicePushing,
        _ log: Log,
        _ time: any TimeSource
    ) -> ReminderDispatcher {
        let figures = ReminderMetrics(in: Metrics())
        let delivery = ReminderDelivery(
            pushes,
            replies: { replies },
            speech: LinkedSpeech(),
            figures: figures,
            log: log,
            time: time
        )
        let round = ReminderRound(records, delivery, lease: .seconds(60), figures: figures, log: log, time: time)
        return ReminderDispatcher(records, round, log: log, time: time)
    }

    @Test func `a reminder is pushed once when it is due, and done by its answer`() async throws {
        try await Self.with { bench in
            let pill = try await bench.make(in: 5)
            #expect(await bench.worker.look() == 1)
            #expect(bench.providers.messages.isEmpty, "it is not due")
            #expect(await bench.worker.look() == 0)
            bench.time.advance(minutes: 5.1)
            #expect(await bench.worker.look() == 1)
            #expect(await bench.other.look() == 0)
            let pushes = bench.providers.messages
            #expect(pushes.map(\.to) == ["token-patient"])
            #expect(pushes.first?.fields["type"] == "reminder" && pushes.first?.fields["title"] == "blue pill")
            #expect(pushes.first?.fields["reminder_id"] == pill.id.description)
            #expect(pushes.first?.fields["speak_text"] == "Time for blue pill.")
            #expect(pushes.first?.fields["audio_url"] == "http://h/en/own/Time%20for%20blue%20pill.")
            let name = try #require(pushes.first.flatMap { ReminderPushID($0.key) })
            #expect(name.reminder == pill.id)
            let due = Date(timeIntervalSince1970: Double(name.dueSecond))
            let answer = ReminderAnswer(reminder: pill.id, dueAt: due, status: .done)
            #expect(
                try await bench.records.note(
                    answer,
                    of: bench.patient,
                    tenant: bench.tenant,
                    at: bench.time.date,
                    by: .soon
                )
            )
            bench.time.advance(minutes: 40)
            _ = await bench.worker.look()
            #expect(try await bench.states() == [.done])
            #expect(bench.providers.messages.count == 1)
        }
    }

    @Test func `a critical medicine without an answer is missed and told once`() async throws {
        try await Self.with { bench in
            _ = try await bench.make(in: 1, isCritical: true)
            bench.time.advance(minutes: 1.1)
            _ = await bench.worker.look()
            #expect(try await bench.states() == [.sent])
            bench.time.advance(minutes: 29)
            _ = await bench.worker.look()
            #expect(try await bench.alerts() == [])
            bench.time.advance(minutes: 1.1)
            _ = await bench.worker.look()
            _ = await bench.other.look()
            #expect(try await bench.states() == [.missed])
            #expect(try await bench.alerts() == ["medium medication"])
        }
    }

    @Test(arguments: [true, false])
    func `a critical medicine that a reporting telephone has not spoken is told at once`(isHeard: Bool) async throws {
        try await Self.with { bench in
            let (first, second) = (try await bench.make(in: 1), try await bench.make(in: 60, isCritical: true))
            bench.time.advance(minutes: 1.1)
            _ = await bench.worker.look()
            try await bench.report(first)
            bench.time.advance(minutes: 59.1)
            _ = await bench.worker.look()
            if isHeard { try await bench.report(second) }
            bench.time.advance(minutes: 31)
            _ = await bench.worker.look()
            #expect(try await bench.alerts() == [isHeard ? "medium medication" : "high medication"])
        }
    }

    @Test func `a medicine that is not critical is missed in silence`() async throws {
        try await Self.with { bench in
            _ = try await bench.make(in: 1)
            bench.time.advance(minutes: 45)
            _ = await bench.worker.look()
            #expect(try await bench.states() == [.missed])
            #expect(try await bench.alerts() == [] && bench.providers.messages.isEmpty)
        }
    }

    @Test func `who asks to hear it later is told again in ten minutes, under another name`() async throws {
        try await Self.with { bench in
            let pill = try await bench.make(in: 1)
            bench.time.advance(minutes: 1.1)
            _ = await bench.worker.look()
            let due = try #require(bench.providers.messages.first.flatMap { ReminderPushID($0.key) })
            let answer = ReminderAnswer(
                reminder: pill.id,
                dueAt: Date(timeIntervalSince1970: Double(due.dueSecond)),
                status: .snoozed
            )
            let (patient, tenant) = (bench.patient, bench.tenant)
            #expect(try await bench.records.note(answer, of: patient, tenant: tenant, at: bench.time.date, by: .soon))
            _ = await bench.worker.look()
            #expect(bench.providers.messages.count == 1)
            bench.time.advance(minutes: 10.1)
            _ = await bench.worker.look()
            let rounds = bench.providers.messages.compactMap { ReminderPushID($0.key)?.round }
            #expect(rounds == [0, 1])
            #expect(try await bench.states() == [.sent])
        }
    }

    @Test func `a provider that fails is asked again under the same name`() async throws {
        try await Self.with { bench in
            _ = try await bench.make(in: 1)
            bench.providers.next(.push, .refuses(503))
            bench.providers.next(.push, .takesAndFails(500))
            bench.time.advance(minutes: 1.1)
            for _ in 0..<3 {
                _ = await bench.worker.look()
                bench.time.advance(minutes: 1.1)
            }
            #expect(try await bench.states() == [.sent])
            #expect(bench.providers.requests == 3 && bench.providers.messages.count == 1)
        }
    }

    @Test func `a token that is known no more is forgotten, and a new one is used at once`() async throws {
        try await Self.with { bench in
            _ = try await bench.make(in: 1)
            let gone = #"{"error":{"status":"NOT_FOUND","details":[{"errorCode":"UNREGISTERED"}]}}"#
            bench.providers.next(.push, .refuses(404, [], gone))
            bench.time.advance(minutes: 1.1)
            _ = await bench.worker.look()
            let (patient, tenant) = (bench.patient, bench.tenant)
            #expect(try await bench.records.device(of: patient, tenant: tenant, by: .soon).device == nil)
            let next = ContactDetails.Device(token: "token-next", platform: .android)
            try await bench.records.store(next, of: patient, tenant: tenant, by: .soon)
            bench.time.advance(minutes: 6)
            _ = await bench.worker.look()
            #expect(bench.providers.messages.map(\.to) == ["token-next"])
        }
    }

    @Test func `a worker that died is followed by another, and a late one changes nothing`() async throws {
        try await Self.with { bench in
            let pill = try await bench.make(in: 1)
            bench.time.advance(minutes: 1.1)
            let date = bench.time.date
            let lost = try await bench.records.claimReminders(limit: 5, at: date, lease: .seconds(60), by: .soon)
            #expect(lost.count == 1)
            #expect(await bench.other.look() == 0, "it is leased")
            bench.time.advance(minutes: 1.1)
            #expect(await bench.other.look() == 1)
            #expect(bench.providers.messages.count == 1)
            let late = OccurrenceProgress(
                entered: [Occurrence(.init(pill.id, date), remindAt: date)],
                plannedUntil: date,
                next: .look(at: date)
            )
            #expect(try await bench.records.store(late, of: lost[0], by: .soon) == nil)
            #expect(try await bench.states() == [.sent])
        }
    }

    @Test func `a reminder that is changed, paused or ended wakes its patient`() async throws {
        try await Self.with { bench in
            let pill = try await bench.make(in: 30)
            _ = await bench.worker.look()
            #expect(await bench.worker.look() == 0)
            let sooner = ReminderPeople.once("blue pill", .medicine, at: bench.time.date.addingTimeInterval(60))
            let moved = Reminder(id: pill.id, title: pill.title, kind: pill.kind, schedule: sooner.schedule)
            let (patient, tenant) = (bench.patient, bench.tenant)
            #expect(try await bench.records.replace(moved, was: pill, of: patient, tenant: tenant, by: .soon))
            #expect(await bench.worker.look() == 1)
            bench.time.advance(minutes: 1.1)
            _ = await bench.worker.look()
            #expect(bench.providers.messages.count == 1)
            #expect(try await bench.records.end(pill.id, of: patient, tenant: tenant, by: .soon))
            #expect(await bench.worker.look() == 1)
            #expect(try await bench.states() == [.skipped])
        }
    }

    @Test func `the worker of queues sees no words of a reminder`() async throws {
        try await Self.with { bench in
            _ = try await bench.make(in: 1)
            let refused = try await bench.scratch.database.run(
                """
                SELECT has_table_privilege('hearth_worker', 'hearth.reminders', 'SELECT')::text,
                    has_table_privilege('hearth_worker', 'hearth.reminder_occurrences', 'SELECT')::text,
                    has_table_privilege('hearth_worker', 'hearth.reminder_clocks', 'SELECT')::text
                """
            )
            #expect(refused == [["false", "false", "true"]])
        }
    }
}
