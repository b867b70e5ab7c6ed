import Conversation
import Foundation
import HTTPClient
import PostgresStore
import Runtime
import TestSupport

@testable import Alerts
@testable import Spool

/// A PostgreSQL server that is stopped and started, a spool on the disk, and the providers' doubles.
struct OutageBench {
    let providers: AlertProviders
    let disk: DiskSpool
    let spooled: SpooledAlerts
    let drain: SpoolDrain
    let metrics = Metrics()
    private let cluster: PrivateCluster
    private let records: PostgresRecords
    private let patient: Patient
    private let client: HTTPClient
    private let folder: ScratchFolder
    private let log = MemoryLogSink()

    static func with(contacts: [ContactDetails], _ body: (OutageBench) async throws -> Void) async throws {
        try await withOwnCluster { cluster in
            let loops = EventLoopGroup(count: 1)
            let providers = try await AlertProviders(on: loops)
            let client = HTTPClient(on: loops)
            let pool = PostgresPool(
                cluster.address(),
                on: loops,
                settings: PoolSettings(
                    connectionsPerLoop: 2,
                    backoff: Backoff(first: .milliseconds(10), limit: .milliseconds(50))
                ),
                metrics: PostgresMetrics(in: Metrics()),
                log: Log(to: MemoryLogSink())
            )
            await pool.start()
            let patient = AlertPeople.patient()
            let bench = OutageBench(cluster, PostgresRecords(pool), patient, providers, client, try ScratchFolder())
            let outcome = await Result {
                try await bench.records.openTenant(patient.tenant, name: "Test", by: .soon)
                try await bench.records.store(patient, by: .soon)
                for contact in contacts {
                    try await bench.records.store(contact, of: patient.id, tenant: patient.tenant, by: .soon)
                }
                try await body(bench)
            }
            await bench.spooled.drain(by: .soon)
            await bench.disk.close(by: .soon)
            await pool.drain(by: .soon)
            await client.drain(by: Deadline(after: .seconds(2)))
            await providers.stop()
            loops.stop()
            try outcome.get()
        }
    }

    private init(
        _ cluster: PrivateCluster,
        _ records: PostgresRecords,
        _ patient: Patient,
        _ providers: AlertProviders,
        _ client: HTTPClient,
        _ folder: ScratchFolder
    ) {
        (self.cluster, self.records, self.patient) = (cluster, records, patient)
        (self.providers, self.client, self.folder) = (providers, client, folder)
        disk = DiskSpool(.init(path: folder.path("spool.sqlite")), metrics: SpoolMetrics(Metrics()))
        let delivery = Self.delivery(providers, client, log)
        spooled = SpooledAlerts(disk, delivery, metrics: metrics, log: Log(to: log))
        drain = SpoolDrain(disk, into: records, alerts: spooled, log: Log(to: log))
    }

    /// The next process on the same disk.
    func restarted() -> OutageBench {
        OutageBench(cluster, records, patient, providers, client, folder)
    }

    /// What a turn remembers of the patient.
    func memory() async throws -> PatientMemory {
        try await records.remember(turn("hello"), by: .soon)
    }

    func turn(_ text: String) -> Turn {
        Turn(tenant: patient.tenant, patient: patient.id, text: text, spokenAt: Date(), receivedAt: Date())
    }

    func recorded(_ turn: Turn, _ level: Level, _ category: Conversation.Category = .fall) -> RecordedTurn {
        let alert = Alert(
            id: AlertID(turn.id.uuid),
            level: level,
            category: category,
            finding: nil,
            summary: "Maggie may have fallen.",
            lateBy: 0
        )
        return RecordedTurn(
            turn: turn,
            conversation: ConversationID(),
            screening: Screening(),
            decision: Decision(
                level: level,
                alerts: [alert],
                warnsOfScam: false,
                state: ConversationState()
            ),
            reminderAnswer: nil
        )
    }

    /// Does what a turn does when the record has not taken its alert.
    @discardableResult
    func spool(
        _ text: String,
        _ level: Level,
        _ category: Conversation.Category = .fall,
        knowing memory: PatientMemory?
    ) async throws -> Turn {
        let turn = turn(text)
        let recorded = recorded(turn, level, category)
        try await disk.keep(.recorded(recorded), by: .soon)
        spooled.deliver(recorded.decision.alerts, of: turn, knowing: memory)
        return turn
    }

    func stopPostgres() async throws { await cluster.drain(by: .soon) }

    func startPostgres() async throws {
        try await cluster.start()
        let patience = Deadline.soon
        while !patience.hasPassed() {
            do { return _ = try await memory() } catch { await Task.yield() }
        }
    }

    /// Waits until the providers have taken so many messages.
    func hasTold(_ count: Int) async {
        while providers.messages.count < count { await Task.yield() }
    }

    /// Waits until the spool holds so many writes: the alert, and how far it was told.
    func hasKept(_ count: Int) async {
        while disk.count < count { await Task.yield() }
    }

    func hasDrained() async {
        while disk.count > 0 { await Task.yield() }
    }

    /// Takes everything to the record.
    func drainAll() async throws {
        let patience = Deadline.soon
        while disk.count > 0, !patience.hasPassed() { _ = await drain.pass() }
    }

    /// Works on everything that is due in the outbox, as another replica would.
    func work() async throws {
        let delivery = Self.delivery(providers, client, log)
        let dispatcher = AlertDispatcher(
            records,
            delivery,
            figures: AlertFigures(in: Metrics()),
            log: Log(to: log)
        )
        while true {
            let entries = try await records.takeAlerts(limit: 100, atLeast: .none, lease: .seconds(20), by: .soon)
            guard !entries.isEmpty else { return }
            for entry in entries { _ = await dispatcher.handle(entry) }
        }
    }

    func rows(_ statement: String) async throws -> [[String]] {
        try await DatabaseConsole(cluster.address()).run(statement)
    }

    private static func delivery(
        _ providers: AlertProviders,
        _ client: HTTPClient,
        _ log: MemoryLogSink
    ) -> AlertDelivery {
        AlertDelivery(
            Channels.senders(of: providers, client).values.map { $0 },
            links: AlertLinks(key: AlertBench.linkKey, base: "https://hearth.example"),
            figures: AlertFigures(in: Metrics()),
            log: Log(to: log)
        )
    }
}
