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

/// Traces of an erased patient in the files of a replica's data folder.
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

    private struct NoDelivery: SpooledAlertDelivery {
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

    /// A place that holds every removal, also of who is cancelled, until a test lets them go.
    private final class HeldCopies: MemoryCopies {
        let place = "held"
        private let state = Mutex((patients: [PatientID](), isOpen: false, waiting: [OneShot<Void>]()))

        /// The patients whose removal has begun, in order.
        var patients: [PatientID] { state.withLock { $0.patients } }

        func open() {
            let waiting = state.withLock { state in
                state.isOpen = true
                return state.waiting
            }
            for shot in waiting { shot.settle(()) }
        }

        func erase(_ patient: PatientID, of tenant: TenantID, by deadline: Deadline) async throws {
            let shot = OneShot<Void>()
            state.withLock { state in
                state.patients.append(patient)
                if state.isOpen { shot.settle(()) } else { state.waiting.append(shot) }
            }
            await Task.detached { await shot.value(ifCancelled: ()) }.value
        }

        func erase(_ patients: Set<PatientID>, of tenant: TenantID, by deadline: Deadline) async throws {
            for patient in patients { try await erase(patient, of: tenant, by: deadline) }
        }

        func eraseAll(of tenants: Set<TenantID>, by deadline: Deadline) async throws {}
    }

    /// Tenants that lost messages, and when.
    private final class Lost: RetentionQueue {
        private let state = Mutex((removals: [TenantID: RemovalTime](), failure: RecordsError?.none, asked: 0))

        var asked: Int { state.withLock { $0.asked } }

        func set(_ removals: [TenantID: RemovalTime], failing failure: RecordsError? = nil) {
            state.withLock { ($0.removals, $0.failure) = (removals, failure) }
        }

        func lastRemovals(by deadline: Deadline) async throws(RecordsError) -> [TenantID: RemovalTime] {
            let (removals, failure) = state.withLock { state in
                state.asked += 1
                return (state.removals, state.failure)
            }
            if let failure { throw failure }
            return removals
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

    /// A place that notes what it is asked to remove.
    private final class NotedCopies: MemoryCopies {
        enum Call: Equatable {
            case patients(Set<PatientID>)
            case tenants(Set<TenantID>)
        }

        let place = "noted"
        private let state = Mutex((calls: [Call](), failures: 0, then: (@Sendable () -> Void)?.none))

        var calls: [Call] { state.withLock { $0.calls } }

        /// Fails so often, and does something once while the next removal is in progress.
        func set(failures: Int = 0, then action: (@Sendable () -> Void)? = nil) {
            state.withLock { ($0.failures, $0.then) = (failures, action) }
        }

        func erase(_ patient: PatientID, of tenant: TenantID, by deadline: Deadline) async throws {}

        func erase(_ patients: Set<PatientID>, of tenant: TenantID, by deadline: Deadline) async throws {
            try note(.patients(patients))
        }

        func eraseAll(of tenants: Set<TenantID>, by deadline: Deadline) async throws { try note(.tenants(tenants)) }

        private func note(_ call: Call) throws {
            let (fails, action) = state.withLock { state in
                state.calls.append(call)
                defer { (state.failures, state.then) = (max(0, state.failures - 1), nil) }
                return (state.failures > 0, state.then)
            }
            action?()
            if fails { throw SpoolError.full }
        }
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
        let noted = NotedCopies()
        let removals: RemovalFollower

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
            removals = RemovalFollower(lost, memories: [recall, recent, noted], marks: memories, log: Log(to: log))
            follower = ErasureFollower(
                records,
                copies: [recall, recent, known, SpoolCopies(spool, alerts: NoDelivery())] + more,
                removals: removals,
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

    @Test func `what retention deleted while nobody listened leaves every copy of the tenant's words`() async throws {
        let replica = try await Replica()
        let (tenant, other) = (replica.erased.tenant, TenantID())
        func hasWords() throws -> Bool {
            try replica.files(with: Self.mark).contains { $0.hasPrefix("memories") }
                || replica.recent.memory(of: replica.erased.id, tenant: tenant, at: Date()) != nil
        }
        replica.lost.set([other: 1])
        await replica.removals.compare()
        #expect(try hasWords(), "another tenant's removals concern nobody here")
        replica.lost.set([:], failing: .unavailable(reason: "away"))
        replica.removals.missed()
        await replica.removals.compare()
        #expect(try hasWords())
        replica.lost.set([other: 1, tenant: 2])
        await replica.removals.compare()
        #expect(try !hasWords())
        #expect(try replica.files(with: Self.mark).allSatisfy { $0.hasPrefix("spool") }, "the spool is no memory")
        #expect(replica.noted.calls == [.tenants([other]), .tenants([tenant])])
        let asked = replica.lost.asked
        await replica.removals.compare()
        #expect(replica.lost.asked == asked, "without a gap nothing is asked")
        replica.follower.heard(.connected)
        #expect(try await eventually { replica.lost.asked > asked })
    }

    @Test func `all tenants are followed at once, and neither a gap nor a start repeats it`() async throws {
        let replica = try await Replica()
        let tenants = Set((0..<50).map { _ in TenantID() } + [replica.erased.tenant])
        replica.lost.set(Dictionary(uniqueKeysWithValues: tenants.map { ($0, 7) }))
        await replica.removals.compare()
        replica.removals.missed()
        await replica.removals.compare()
        #expect(replica.noted.calls == [.tenants(tenants)])
        let noted = NotedCopies()
        let started = RemovalFollower(
            replica.lost,
            memories: [noted],
            marks: replica.memories,
            log: Log(to: replica.log)
        )
        await started.compare()
        #expect(noted.calls == [], "the file says what was followed")
        replica.lost.set([replica.erased.tenant: 8])
        started.missed()
        await started.compare()
        #expect(noted.calls == [.tenants([replica.erased.tenant])])
    }

    @Test func `a gap that begins while another is followed is followed too, and so is a failure`() async throws {
        let replica = try await Replica()
        let (tenant, other) = (replica.erased.tenant, TenantID())
        replica.lost.set([tenant: 1])
        replica.noted.set {
            replica.lost.set([tenant: 1, other: 2])
            replica.removals.missed()
        }
        await replica.removals.compare()
        await replica.removals.compare()
        #expect(replica.noted.calls == [.tenants([tenant]), .tenants([other])])
        replica.lost.set([tenant: 3])
        replica.removals.missed()
        replica.noted.set(failures: 1)
        for _ in 0..<3 { await replica.removals.compare() }
        #expect(replica.noted.calls.dropFirst(2) == [.tenants([tenant]), .tenants([tenant])])
    }

    @Test func `removals that are announced without a gap remove those patients' words alone, also after a start`()
        async throws
    {
        let replica = try await Replica()
        let (erased, tenant) = (replica.erased.id, replica.erased.tenant)
        await replica.removals.compare()
        replica.follower.heard(.announced(payload: "removed \(tenant) 0 11 \(erased)"))
        replica.lost.set([tenant: 11])
        #expect(try await eventually { replica.noted.calls == [.patients([erased])] })
        for restarts in 0..<2 {
            replica.removals.missed()
            await replica.removals.compare()
            #expect(replica.noted.calls.count == 1, "restart \(restarts)")
        }
        #expect(try replica.files(with: Self.mark).allSatisfy { $0.hasPrefix("spool") })
        #expect(try replica.files(with: Self.other).contains { $0.hasPrefix("memories") })
        let marks = try await replica.memories.removalMarks(by: .soon)
        #expect(marks == [tenant: 11])
        replica.follower.heard(.announced(payload: "removed \(tenant) 0 11 \(erased)"))
        await replica.removals.compare()
        #expect(replica.noted.calls.count == 1, "what was followed is not followed again")
    }

    @Test func `an announcement after one that was not heard removes every word of the tenant`() async throws {
        let replica = try await Replica()
        let (erased, tenant) = (replica.erased.id, replica.erased.tenant)
        await replica.removals.compare()
        replica.lost.set([tenant: 13])
        replica.follower.heard(.announced(payload: "removed \(tenant) 12 13 \(PatientID())"))
        await replica.removals.compare()
        #expect(replica.noted.calls.last == .tenants([tenant]))
        #expect(try replica.files(with: Self.mark).allSatisfy { $0.hasPrefix("spool") })
        replica.follower.heard(.announced(payload: "aged \(tenant) \(erased)"))
        #expect(try await eventually { replica.noted.calls.last == .patients([erased]) }, "from the last release")
    }

    @Test func `a removal that is announced before the first comparison leaves other tenants' words alone`()
        async throws
    {
        let replica = try await Replica()
        let (tenant, first) = (replica.erased.tenant, TenantID())
        try await replica.memories.note([tenant: 7], by: .soon)
        replica.lost.set([tenant: 7, first: 3])
        replica.follower.heard(.announced(payload: "removed \(first) 0 3 \(PatientID())"))
        await replica.removals.compare()
        #expect(replica.noted.calls.count == 1, "\(replica.noted.calls)")
        #expect(try replica.files(with: Self.mark).contains { $0.hasPrefix("memories") })
        #expect(try await replica.memories.removalMarks(by: .soon) == [tenant: 7, first: 3])
    }

    @Test func `draining ends at its deadline, whatever a place takes`() async throws {
        let held = HeldCopies()
        let replica = try await Replica(more: [held])
        defer { held.open() }
        _ = try await replica.records.erase(replica.erased.id, tenant: replica.erased.tenant, actor: "x", by: .soon)
        try await replica.follower.start()
        replica.follower.heard(.announced(payload: "erased \(replica.kept.tenant) \(replica.kept.id)"))
        #expect(try await eventually { held.patients.count == 2 })
        let began = Instant.now
        await replica.follower.drain(by: Deadline(after: .milliseconds(100)))
        #expect(Instant.now.since(began) < .seconds(20))
        replica.follower.heard(.announced(payload: "erased \(replica.kept.tenant) \(PatientID())"))
        await replica.follower.drain(by: .soon.reserving(.seconds(29)))
        #expect(held.patients.count == 2, "nothing begins after the end")
    }

    @Test func `of a flood of erasures so many wait, and the marks tell of the others`() async throws {
        let held = HeldCopies()
        let replica = try await Replica(more: [held])
        let tenant = replica.erased.tenant
        for _ in 0..<1000 { replica.follower.heard(.announced(payload: "erased \(tenant) \(PatientID())")) }
        _ = try await replica.records.erase(replica.erased.id, tenant: tenant, actor: "x", by: .soon)
        replica.follower.heard(.announced(payload: "erased \(tenant) \(replica.erased.id)"))
        held.open()
        #expect(try await eventually { held.patients.count >= 100 })
        await replica.follower.follow()
        #expect(try await eventually { !held.patients.isEmpty && held.patients.contains(replica.erased.id) })
        await replica.follower.drain(by: .soon)
        #expect(held.patients.count <= 102, "100 waited, one was in progress, and one was found by its mark")
        #expect(try replica.files(with: Self.mark) == [])
    }

    @Test func `a flood of removals of the last release costs the tenant's words, and no more waits than may`()
        async throws
    {
        let (held, noted, replica) = (HeldCopies(), NotedCopies(), try await Replica())
        let log = Log(to: replica.log)
        let removals = RemovalFollower(replica.lost, memories: [held, noted], marks: replica.memories, log: log)
        await removals.compare()
        let tenant = replica.erased.tenant
        for _ in 0..<1000 { removals.heard(PatientID(), of: tenant) }
        held.open()
        #expect(try await eventually { noted.calls.count >= 100 })
        await removals.compare()
        #expect(noted.calls.last == .tenants([tenant]))
        #expect(noted.calls.count <= 102)
    }

    @Test(arguments: [
        "removed", "removed TENANT", "removed TENANT 1 2", "removed TENANT 1 2 x", "removed TENANT x 2 PATIENT",
        "removed TENANT 1 x PATIENT", "removed TENANT -1 2 PATIENT", "removed TENANT 1 0 PATIENT",
        "removed x 1 2 PATIENT", "removed TENANT 1 2" + String(repeating: " PATIENT", count: 201),
    ])
    func `a removal that cannot be read is none`(payload: String) {
        let tenant = TenantID()
        let text = payload.replacing("TENANT", with: "\(tenant)").replacing("PATIENT", with: "\(PatientID())")
        #expect(RemovalEvent.removal(payload: text) == nil)
        let good = "removed \(tenant) 1 2" + String(repeating: " \(PatientID())", count: 200)
        #expect(RemovalEvent.removal(payload: good)?.patients.count == 200)
        #expect(good.utf8.count < 8000, "what an announcement can hold")
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
