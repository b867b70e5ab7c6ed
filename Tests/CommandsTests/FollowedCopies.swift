import Domain
import Foundation
import Runtime
import Synchronization

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
final class LostTenants: RetentionQueue {
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
