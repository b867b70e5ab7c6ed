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

/// A replica with its copies in files, and places that fail or wait.
extension ErasureFollowerTests {
    static let mark = "zebrastripe"
    static let other = "giraffeneck"

    /// Vectors of two numbers.
    struct Flat: SentenceEmbedder {
        let space = "flat"
        let dimension = 2
        let isAvailable = true

        func vector(of sentence: String, by deadline: Deadline) async throws(RecallError) -> [Float] { [0.6, 0.8] }
    }

    struct NoDelivery: SpooledAlertDelivery {
        func deliver(_ alerts: [Alert], of turn: Turn, knowing memory: PatientMemory?) {}
        func resume(_ alertCase: AlertCase, fall: FallID?) {}
        func handOver(_ alerts: [AlertID]) -> [AlertCase]? { [] }
        func resumeDelivery(_ alerts: [AlertID]) {}
        func forget(_ alerts: [AlertID]) {}
    }

    /// A place whose copies cannot be removed while a test says so.
    final class StuckCopies: PatientCopies {
        let place = "stuck"
        func erase(_ patient: PatientID, of tenant: TenantID, by deadline: Deadline) async throws {
            throw SpoolError.full
        }
    }

    /// A place that holds every removal, also of who is cancelled, until a test lets them go.
    final class HeldCopies: MemoryCopies {
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
    final class Lost: RetentionQueue {
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
    final class NotedCopies: MemoryCopies {
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
    struct Replica {
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
