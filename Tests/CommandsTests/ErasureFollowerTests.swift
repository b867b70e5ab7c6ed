import Conversation
import Domain
import Evaluation
import Foundation
import PostgresStore
import Recall
import Runtime
import Spool
import Synchronization
import TestSupport
import Testing

@testable import Commands

/// What is left in the files of a replica's data folder of a patient who was erased.
@Suite(.timeLimit(.minutes(1))) struct ErasureFollowerTests {
    private static let mark = "zebrastripe"
    private static let other = "giraffeneck"

    /// Vectors of two numbers.
    private struct Flat: SentenceEmbedder {
        let space = "flat"
        let dimension = 2
        let isAvailable = true

        func vector(of sentence: String, by deadline: Deadline) async throws(RecallError) -> [Float] { [0.6, 0.8] }
    }

    private struct NobodyTold: SpooledAlertDelivery {
        func deliver(_ alerts: [Alert], of turn: Turn, knowing memory: PatientMemory?) {}
        func resume(_ alertCase: AlertCase, fall: FallID?) {}
        func handOver(_ alerts: [AlertID]) -> [AlertCase]? { [] }
        func resumeDelivery(_ alerts: [AlertID]) {}
        func forget(_ alerts: [AlertID]) {}
    }

    /// A place whose copies cannot be removed while a test says so.
    private final class StuckCopies: PatientCopies {
        let place = "stuck"
        func erase(_ patient: PatientID, of tenant: TenantID, by deadline: Deadline) async throws {
            throw SpoolError.full
        }
    }

    /// Tenants that lost messages, with the time since which a replica asked.
    private final class Lost: RetentionQueue {
        private let state = Mutex((tenants: [TenantID](), failure: RecordsError?.none, asked: [Date]()))

        var asked: [Date] { state.withLock { $0.asked } }

        func set(_ tenants: [TenantID], failing failure: RecordsError? = nil) {
            state.withLock { ($0.tenants, $0.failure) = (tenants, failure) }
        }

        func removals(since date: Date, by deadline: Deadline) async throws(RecordsError) -> [TenantID] {
            let (tenants, failure) = state.withLock { state in
                state.asked.append(date)
                return (state.tenants, state.failure)
            }
            if let failure { throw failure }
            return tenants
        }

        func claimRetention(
            at date: Date,
            lease: Duration,
            by deadline: Deadline
        ) async throws(RecordsError) -> ClaimedRetention? { nil }

        func age(_ claim: ClaimedRetention, limit: Int, by deadline: Deadline) async throws(RecordsError) -> Int { 0 }

        func settle(
            _ claim: ClaimedRetention,
            isWhole: Bool,
            nextAt date: Date,
            audit: AuditEntry?,
            by deadline: Deadline
        ) async throws(RecordsError) -> Bool { false }
    }

    /// The places of a replica, with marks of two patients in each of them.
    private struct Replica {
        let folder: ScratchFolder
        let records = InMemoryRecords()
        let erased: Patient
        let kept: Patient
        let spool: DiskSpool
        let known: LastKnownStore
        let memories: SQLiteMemories
        let recent = RecentMemories()
        let follower: ErasureFollower
        let log = MemoryLogSink()
        let lost = Lost()

        init(more: [any PatientCopies] = []) async throws {
            folder = try ScratchFolder()
            let tenant = TenantID()
            erased = Patient(id: PatientID(), tenant: tenant, name: ErasureFollowerTests.mark, timeZone: .gmt)
            kept = Patient(id: PatientID(), tenant: tenant, name: ErasureFollowerTests.other, timeZone: .gmt)
            spool = DiskSpool(.init(path: folder.path("spool.sqlite")), metrics: SpoolMetrics(Metrics()))
            let settings = LastKnownStore.Settings(
                path: folder.path("last-known.sqlite"),
                secret: [UInt8](repeating: 1, count: 32),
                ageLimit: .seconds(86_400)
            )
            known = LastKnownStore(settings, log: Log(to: log))
            memories = SQLiteMemories(
                .init(path: folder.path("memories.sqlite")),
                space: "flat",
                dimension: 2,
                log: Log(to: log),
                metrics: RecallMetrics()
            )
            let recall = PatientRecall(Flat(), over: NoVectors(), cache: memories, log: Log(to: log))
            follower = ErasureFollower(
                records,
                retention: lost,
                copies: [recall, recent, known, SpoolCopies(spool, alerts: NobodyTold())] + more,
                memories: [recall, recent],
                log: Log(to: log),
                closed: { [recent] in recent.forget($0, of: $1) }
            )
            try await records.openTenant(tenant, name: "Test", by: .soon)
            try await plant(ErasureFollowerTests.mark, of: erased)
            try await plant(ErasureFollowerTests.other, of: kept)
        }

        private func plant(_ mark: String, of patient: Patient) async throws {
            try await records.store(patient, by: .soon)
            let turn = Turn(
                tenant: patient.tenant,
                patient: patient.id,
                text: "I saw a \(mark)",
                spokenAt: Date(),
                receivedAt: Date()
            )
            let calm = Decision(level: .none, alerts: [], reportsScam: false, state: ConversationState())
            let recorded = RecordedTurn(
                turn: turn,
                conversation: ConversationID(),
                screening: Screening(),
                decision: calm,
                reminderAnswer: nil
            )
            try await spool.keep(.recorded(recorded), by: .soon)
            let page = (1...40).map { number in
                let memory = StoredMemory(
                    id: MemoryID(),
                    patient: patient.id,
                    tenant: patient.tenant,
                    text: "\(number) \(mark)",
                    at: Date()
                )
                return MemoryVector(memory: memory, vector: [0.6, 0.8], position: Int64(number))
            }
            _ = try await memories.append(page, of: patient.id, tenant: patient.tenant, after: 0, by: .soon)
            known.keep(patient, reachable: [])
            while await known.known(patient.id, of: patient.tenant, by: .soon) == nil { await Task.yield() }
            recent.keep(PatientMemory(patient: patient), at: Date())
        }

        /// The files that hold a text, in any case.
        func files(with text: String) throws -> [String] {
            let path = folder.path("")
            return try FileManager.default.contentsOfDirectory(atPath: path).sorted().filter { name in
                let bytes = FileManager.default.contents(atPath: path + name) ?? Data()
                return [text, text.uppercased()].contains { bytes.range(of: Data($0.utf8)) != nil }
            }
        }

        func knows(_ patient: Patient) async -> Bool {
            let stored = await known.known(patient.id, of: patient.tenant, by: .soon)
            return stored != nil || recent.memory(of: patient.id, tenant: patient.tenant, at: Date()) != nil
        }
    }

    @Test func `an erasure that is announced leaves no trace in any file, and everybody else's words stay`()
        async throws
    {
        let replica = try await Replica()
        for mark in [Self.mark, Self.other] {
            let files = try replica.files(with: mark)
            #expect(files.contains { $0.hasPrefix("memories") } && files.contains { $0.hasPrefix("spool") })
        }
        let erased = replica.erased
        #expect(await replica.knows(erased))
        replica.follower.heard(.announced(payload: "erased \(erased.tenant) \(erased.id)"))
        // The places are erased one after another, the spool last.
        #expect(
            try await eventually {
                try replica.files(with: Self.mark).isEmpty && replica.spool.count == 1
            }
        )
        #expect(await !replica.knows(erased))
        #expect(try replica.files(with: erased.id.description) == [])
        #expect(try replica.files(with: Self.other).count >= 2)
        #expect(await replica.knows(replica.kept))
        let words = try await replica.memories.positions(
            of: [Self.other],
            patient: replica.kept.id,
            tenant: replica.kept.tenant,
            limit: 50,
            by: .soon
        )
        #expect(words.map(\.count) == [40], "the index still finds what others said")
    }

    @Test func `a replica that was away when a patient was erased finds the mark when it starts`() async throws {
        let replica = try await Replica()
        let erased = replica.erased
        _ = try await replica.records.erase(erased.id, tenant: erased.tenant, actor: "key x", by: .soon)
        #expect(try !replica.files(with: Self.mark).isEmpty)
        await replica.follower.follow()
        #expect(try replica.files(with: Self.mark) == [])
        #expect(await !replica.knows(erased))
    }

    @Test func `what a turn leaves behind after the announcement is found a minute later`() async throws {
        let replica = try await Replica()
        let erased = replica.erased
        _ = try await replica.records.erase(erased.id, tenant: erased.tenant, actor: "key x", by: .soon)
        await replica.follower.follow()
        replica.recent.keep(PatientMemory(patient: erased), at: Date())
        let said = Turn(
            tenant: erased.tenant,
            patient: erased.id,
            text: Self.mark,
            spokenAt: Date(),
            receivedAt: Date()
        )
        let alert = Alert(level: .high, category: .fall, finding: nil, summary: "A fall.", lateBy: 0)
        try await replica.spool.keep(.raised(alert, of: said), by: .soon)
        #expect(try !replica.files(with: Self.mark).isEmpty)
        await replica.follower.follow()
        #expect(try replica.files(with: Self.mark) == [])
        #expect(await !replica.knows(erased))
    }

    @Test func `a place that cannot be written is said, and the others are erased nevertheless`() async throws {
        let replica = try await Replica(more: [StuckCopies()])
        let erased = replica.erased
        #expect(await !replica.follower.erase(erased.id, of: erased.tenant, by: .soon))
        #expect(try replica.files(with: Self.mark) == [])
        let line = try #require(replica.log.lines.last { $0.event == "copies_not_erased" })
        #expect(line.fields.contains("place" ~ "stuck"))
        #expect(!line.json.contains(Self.mark))
    }

    @Test(arguments: ["", "erased", "erased x y", "opened TENANT PATIENT", "erased TENANT PATIENT more"])
    func `an announcement that cannot be read erases nobody`(payload: String) async throws {
        let replica = try await Replica()
        let erased = replica.erased
        let text = payload.replacing("TENANT", with: erased.tenant.description)
            .replacing("PATIENT", with: erased.id.description)
        replica.follower.heard(.announced(payload: text))
        await replica.follower.follow()
        #expect(await replica.knows(erased))
        #expect(try !replica.files(with: Self.mark).isEmpty)
    }

    @Test func `what retention deleted while nobody listened leaves every copy of the tenant's words, once`()
        async throws
    {
        let replica = try await Replica()
        let (tenant, other) = (replica.erased.tenant, TenantID())
        func hasWords() throws -> Bool {
            try replica.files(with: Self.mark).contains { $0.hasPrefix("memories") }
                || replica.recent.memory(of: replica.erased.id, tenant: tenant, at: Date()) != nil
        }
        replica.lost.set([other])
        await replica.follower.followRemovals()
        #expect(try hasWords(), "another tenant's removals concern nobody here")
        replica.lost.set([], failing: .unavailable(reason: "away"))
        replica.follower.heard(.connected)
        await replica.follower.followRemovals()
        #expect(try hasWords())
        replica.lost.set([tenant])
        await replica.follower.followRemovals()
        #expect(try await eventually { try !hasWords() })
        #expect(try replica.files(with: Self.mark).allSatisfy { $0.hasPrefix("spool") }, "the spool is no memory")
        let asked = replica.lost.asked.count
        await replica.follower.followRemovals()
        #expect(replica.lost.asked.count == asked, "without a gap nothing is asked")
        replica.follower.heard(.connected)
        #expect(try await eventually { replica.lost.asked.count > asked })
        let since = try #require(replica.lost.asked.last)
        #expect(since > Date(timeIntervalSinceNow: -1200), "from the connection before this one")
    }

    @Test func `a closed patient is forgotten, and keeps the files`() async throws {
        let replica = try await Replica()
        let closed = replica.erased
        replica.follower.heard(.announced(payload: "closed \(closed.tenant) \(closed.id)"))
        #expect(replica.recent.memory(of: closed.id, tenant: closed.tenant, at: Date()) == nil)
        #expect(try replica.files(with: Self.mark).contains { $0.hasPrefix("memories") })
    }
}

/// A record without vectors.
private struct NoVectors: MemoryVectors {
    func memories(
        of patient: PatientID,
        tenant: TenantID,
        after position: Int64,
        limit: Int,
        by deadline: Deadline
    ) async throws(RecordsError) -> [MemoryVector] { [] }

    func insert(
        _ memory: StoredMemory,
        vector: [Float],
        by deadline: Deadline
    ) async throws(RecordsError) -> Int64 { 1 }
}
