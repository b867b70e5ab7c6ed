import Alerts
import Conversation
import Domain
import Foundation
import PostgresStore
import Runtime
import Synchronization
import TestSupport

/// Ten thousand alerts against drainers that are killed, providers that fail and a database that is broken off: every
/// alert must be told, nobody twice by a provider that knows what it has had, the gravest first, and nothing may be
/// left.
struct AlertDrill {
    private static let tenant = "00000000-0000-4000-8000-00000000d111"
    private static let drainers = 2

    let alerts: Int

    func run(program: String) async {
        do {
            guard try await drill(program) else { exit(1) }
        } catch {
            print("The drill broke off: \(error)")
            exit(1)
        }
    }

    private func drill(_ program: String) async throws -> Bool {
        let folder = "/tmp/hearth-drill-\(getpid())"
        let cluster = PrivateCluster(in: ClusterFolder(folder), log: Log(to: MemoryLogSink()))
        try await cluster.start()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await Migrator(cluster.address()).migrate()
        let console = DatabaseAdministration(cluster.address())
        try await seed(console)
        let loops = EventLoopGroup(count: 1)
        let random = Mutex(SeededGenerator(seed: 1))
        let providers = try await AlertProviders(on: loops) { channel in
            guard channel != .webhook else { return nil }
            return switch random.withLock({ Int.random(in: 0..<1000, using: &$0) }) {
            case 0..<20: .refuses(503)
            case 20..<40: .takesAndFails(502)
            case 40..<43: .takesAndStalls(.seconds(9))
            default: nil
            }
        }
        let account = NSTemporaryDirectory() + "drill-account-\(getpid()).json"
        _ = FileManager.default.createFile(atPath: account, contents: Data(providers.accountFile))
        let parameters = cluster.address().parameters.map { "\($0.key)='\($0.value)'" }.joined(separator: " ")
        let crew = DrillCrew([program, "drain", parameters, providers.url, account], count: Self.drainers)
        let began = Instant.now
        crew.start()
        try await disturb(crew, folder, console)
        let spent = Instant.now.since(began)
        crew.stop()
        let isValidToken = try await report(providers, console, crew, spent)
        await providers.stop()
        await cluster.drain(by: Deadline(after: .seconds(10)))
        loops.stop()
        return isValidToken
    }

    /// One patient with one contact for each alert, so that none stands for another; a fifth critical, two fifths high.
    private func seed(_ console: DatabaseAdministration) async throws {
        _ = try await console.run(
            """
            INSERT INTO hearth.tenants (id, name) VALUES ('\(Self.tenant)', 'Drill');
            INSERT INTO hearth.people (id, tenant_id, role, display_name)
            SELECT ('00000000-0000-4000-9000-' || lpad(to_hex(n), 12, '0'))::uuid, '\(Self.tenant)', 'patient', 'P' || n
            FROM generate_series(1, \(alerts)) n;
            INSERT INTO hearth.contacts (patient_id, id, tenant_id, name, notify_channels, phone, device_token,
                device_platform, consented_at)
            SELECT id, gen_random_uuid(), tenant_id, 'C', '{push,sms}', '+1415' || lpad(substr(display_name, 2), 7, '0'),
                'token ' || display_name, 'android', now()
            FROM hearth.people WHERE role = 'patient';
            INSERT INTO hearth.alerts (patient_id, id, tenant_id, level, category, summary)
            SELECT id, gen_random_uuid(), tenant_id,
                CASE WHEN n % 5 = 0 THEN 'critical' WHEN n % 5 < 3 THEN 'high' ELSE 'medium' END, 'fall', 'Drill.'
            FROM (SELECT *, substr(display_name, 2)::int AS n FROM hearth.people WHERE role = 'patient') p;
            INSERT INTO hearth.outbox (patient_id, tenant_id, alert_id, urgency)
            SELECT patient_id, tenant_id, id, CASE level WHEN 'critical' THEN 4 WHEN 'high' THEN 3 ELSE 2 END
            FROM hearth.alerts;
            ANALYZE;
            """
        )
    }

    /// Kills a drainer every half second or so, and the database three times, until every first message is settled.
    private func disturb(_ crew: DrillCrew, _ folder: String, _ console: DatabaseAdministration) async throws {
        var random = SeededGenerator(seed: 2)
        var databaseDeaths = 0
        for step in 1...3600 {
            try await Task.sleep(for: .milliseconds(Int.random(in: 200...800, using: &random)))
            let left = try? await console.run(Self.unsettled)
            if left == [["0"]] { return }
            if let left, step % 20 == 0 { print("  after \(step) disturbances \(left[0][0]) first messages are open") }
            crew.killOne(&random)
            if databaseDeaths < 3, step % 15 == 10 {
                let file = "\(folder)/data/postmaster.pid"
                let text = try? String(contentsOfFile: file, encoding: .utf8)
                if let pid = text?.split(separator: "\n").first.flatMap({ pid_t($0) }) {
                    kill(pid, SIGQUIT)
                    databaseDeaths += 1
                }
            }
        }
        print("The drill did not end.")
    }

    /// Alerts that nobody was told of, and first messages that no provider has.
    private static let unsettled = """
        SELECT (SELECT count(*) FROM hearth.alerts a WHERE NOT EXISTS (
                SELECT FROM hearth.dispatches d WHERE d.patient_id = a.patient_id AND d.alert_id = a.id
            )) + (SELECT count(*) FROM hearth.dispatches
            WHERE round = 0 AND contact_id IS NOT NULL AND state IN ('sending', 'retrying'))
        """

    /// Prints what came of the alerts; whether each was told, and nobody twice.
    private func report(
        _ providers: AlertProviders,
        _ console: DatabaseAdministration,
        _ crew: DrillCrew,
        _ spent: Duration
    ) async throws -> Bool {
        let told = try await console.run(
            """
            SELECT count(DISTINCT alert_id) FROM hearth.dispatches
            WHERE contact_id IS NOT NULL AND state IN ('accepted', 'delivered', 'seen')
            """
        )
        let failed = try await console.run(
            "SELECT count(*) FROM hearth.dispatches WHERE contact_id IS NOT NULL AND state = 'failed'"
        )
        let stuck = try await console.run(
            "SELECT count(*) FROM hearth.outbox WHERE closed_at IS NULL AND due_at < now() - interval '60 seconds'"
        )
        let messages = providers.messages
        let texts = messages.filter { $0.channel == .sms }.map { "\($0.to) \(marker($0.key))" }
        let pushes = messages.filter { $0.channel == .push }.map(\.key)
        print(
            """
            alerts: \(alerts), of whom told: \(told[0][0]), messages given up: \(failed[0][0]), stuck: \(stuck[0][0])
            drainers killed: \(crew.killed), providers asked: \(providers.requests), requests refused by form: \(providers.violations.count)
            notifications shown: \(pushes.count), of which twice: \(pushes.count - Set(pushes).count)
            texts sent: \(texts.count), of which twice: \(texts.count - Set(texts).count)
            \(order(messages))
            took \(Int(spent.seconds)) s
            """
        )
        for violation in providers.violations.prefix(3) { print("  \(violation)") }
        let twice = pushes.count - Set(pushes).count + texts.count - Set(texts).count
        return told[0][0] == "\(alerts)" && twice == 0 && providers.violations.isEmpty
    }

    /// The part of a text by which it is known: its link's first 104 characters.
    private func marker(_ text: String) -> Substring {
        text.range(of: "/a/").map { text[$0.lowerBound...].prefix(107) } ?? Substring(text)
    }

    /// Number of graver alerts that had not been sent when the first medium one was.
    private func order(_ messages: [AlertProviders.Message]) -> String {
        let levels = messages.filter { $0.channel == .push && $0.fields["level"] != nil }
        guard let first = levels.firstIndex(where: { $0.fields["level"] == "medium" }) else { return "no medium alert" }
        let after = Set(
            levels[first...].filter { $0.fields["level"] == "critical" }.compactMap { $0.fields["alert_id"] }
        )
        let before = Set(levels[..<first].compactMap { $0.fields["alert_id"] })
        return "critical alerts first told after the first medium one: \(after.subtracting(before).count)"
    }
}
