import Alerts
import Domain
import Foundation
import PostgresStore
import Runtime
import Synchronization
import TestSupport

/// Takes every push at once, and counts those that came once and again.
private final class CountedPushes: DevicePushing {
    private let state = Mutex<(names: Set<String>, again: Int)>(([], 0))

    var counts: (once: Int, again: Int) { state.withLock { ($0.names.count, $0.again) } }

    func send(_ push: DevicePush, by deadline: Deadline) async throws(SendingFailure) -> String {
        state.withLock { state in
            if !state.names.insert(push.key).inserted { state.again += 1 }
        }
        return push.key
    }
}

/// Many reminders that are due within one minute, handed over by two replicas' dispatchers in one program.
struct ReminderRush {
    private static let tenant = "00000000-0000-4000-8000-00000000d112"

    private let patients: Int
    private let slots: Int

    init(_ counts: [Int]) {
        patients = counts.first ?? 100_000
        slots = counts.dropFirst().first ?? ReminderDispatcher.Settings().concurrency
    }

    func run() async throws {
        let folder = "/tmp/hearth-rush-\(getpid())"
        let cluster = PrivateCluster(in: ClusterFolder(folder), log: Log(to: MemoryLogSink()))
        try await cluster.start()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await Migrator(cluster.address()).migrate()
        try await seed(DatabaseAdministration(cluster.address()))
        let loops = EventLoopGroup(count: 2)
        let (metrics, pushes) = (Metrics(), CountedPushes())
        let log = Log(to: StandardErrorSink(), minimum: .warning)
        let figures = ReminderMetrics(in: metrics)
        var workers: [ReminderDispatcher] = []
        for _ in 0..<2 {
            let pool = PostgresPool(cluster.address(), on: loops, metrics: PostgresMetrics(in: Metrics()), log: log)
            await pool.start()
            let records = PostgresRecords(pool)
            let delivery = ReminderDelivery(pushes, replies: { CannedReplies([:]) }, figures: figures, log: log)
            let round = ReminderRound(records, delivery, lease: .seconds(60), figures: figures, log: log)
            var settings = ReminderDispatcher.Settings()
            settings.concurrency = slots
            workers.append(ReminderDispatcher(records, round, settings: settings, log: log))
        }
        let began = Instant.now
        for worker in workers { try await worker.start() }
        var last = 0
        for second in 1...900 where pushes.counts.once < patients {
            try await Task.sleep(for: .milliseconds(500))
            if second % 20 == 0 {
                print("  after \(second / 2) s: \(pushes.counts.once)")
                guard pushes.counts.once > last else { break }
                last = pushes.counts.once
            }
        }
        let taken = Instant.now.since(began)
        let spent = (program: clock() / CLOCKS_PER_SEC, database: Self.databaseTime(in: folder))
        for worker in workers { await worker.drain(by: Deadline(after: .seconds(20))) }
        let (once, again) = pushes.counts
        print(
            "\(once) of \(patients) reminders due in one minute were handed over in \(taken.seconds) s, twice: \(again)"
        )
        print("processor time: program \(spent.program) s, database \(spent.database) s; slots \(slots)")
        await cluster.drain(by: Deadline(after: .seconds(10)))
        loops.stop()
        guard once == patients, again == 0 else { exit(1) }
    }

    /// The processor time of the database server's connections so far, in seconds.
    private static func databaseTime(in folder: String) -> Int {
        let file = try? String(contentsOfFile: "\(folder)/data/postmaster.pid", encoding: .utf8)
        guard let server = file?.split(separator: "\n").first else { return 0 }
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        let ticks = processes.compactMap { process -> Int? in
            guard Int(process) != nil,
                let line = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
                let fields = line.split(separator: ")").last?.split(separator: " "), fields.count > 12,
                fields[1] == server
            else { return nil }
            return (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0)
        }
        return ticks.reduce(0, +) / 100
    }

    /// Patients with a reminder each, which they have kept for some days: what plans are made for.
    private func seed(_ console: DatabaseAdministration) async throws {
        _ = try await console.run(
            """
            INSERT INTO hearth.tenants (id, name) VALUES ('\(Self.tenant)', 'Rush');
            INSERT INTO hearth.people (id, tenant_id, role, display_name, device_token, device_platform)
            SELECT gen_random_uuid(), '\(Self.tenant)', 'patient', 'Person ' || n, 'token-' || n, 'ios'
            FROM generate_series(1, \(patients)) n;
            INSERT INTO hearth.reminders (patient_id, id, tenant_id, title, kind, due_at, scheduled_at)
            SELECT id, gen_random_uuid(), tenant_id, 'blue pill', 'medicine', now() - random() * interval '1 minute',
                now() - interval '1 hour'
            FROM hearth.people WHERE display_name LIKE 'Person %';
            INSERT INTO hearth.reminder_occurrences (patient_id, reminder_id, due_at, tenant_id, state, remind_at, round,
                attempts, sent_at, done_at)
            SELECT patient_id, id, due_at - day * interval '1 day', tenant_id, 'done', due_at - day * interval '1 day', 0, 1,
                due_at - day * interval '1 day', due_at - day * interval '1 day'
            FROM hearth.reminders CROSS JOIN generate_series(3, 5) day;
            INSERT INTO hearth.reminder_events (patient_id, reminder_id, due_at, status, tenant_id, at)
            SELECT patient_id, reminder_id, due_at, 'done', tenant_id, due_at FROM hearth.reminder_occurrences;
            ANALYZE;
            """
        )
    }
}
