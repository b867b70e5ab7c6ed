import Cryptography
import Domain
import Runtime
import Synchronization

/// One reading of a tenant's board for everybody who watches it, at most two seconds old.
///
/// An open board asks every five seconds, so what it is given is always newer than the page that it began with.
final class BoardSnapshots: Sendable {
    /// The open incidents at one moment.
    struct Snapshot: Sendable {
        let incidents: [OpenIncident]
        /// Digest of the incidents; the same on every replica.
        let stamp: String
        let takenAt: Instant

        init(_ incidents: [OpenIncident], at now: Instant) {
            self.incidents = incidents
            stamp = String(Digest.sha256(String(describing: incidents)).hex.prefix(24))
            takenAt = now
        }
    }

    /// Age up to which a snapshot is given again.
    static let maximumAge = Duration.seconds(2)
    /// Most tenants whose snapshots are kept.
    private static let maximumTenants = 64
    /// Time limit of a reading, which outlasts the request that began it.
    private static let patience = Duration.seconds(5)

    private let incidents: any IncidentBoard
    private let limit: Int
    private struct State: Sendable {
        var kept: [TenantID: Snapshot] = [:]
        /// Number of erasures so far; a reading that began before one is not kept.
        var erasures = 0
    }

    private let state = Mutex(State())
    private let readings = SharedWork<TenantID, Result<Snapshot, RecordsError>>()

    init(_ incidents: any IncidentBoard, limit: Int) {
        self.incidents = incidents
        self.limit = limit
    }

    /// The tenant's snapshot, which is read anew if it is too old; those who ask meanwhile wait for the same reading.
    func snapshot(of tenant: TenantID, by deadline: Deadline) async throws(RecordsError) -> Snapshot {
        let now = Instant.now
        if let known = state.withLock({ $0.kept[tenant] }), now.since(known.takenAt) < Self.maximumAge { return known }
        let found = await readings.value(of: tenant, atMost: Self.maximumTenants, by: deadline, at: now) { [self] in
            await read(tenant)
        }
        switch found {
        case .success(let result): return try result.get()
        case .failure(.cancelled): throw .cancelled
        case .failure(.busy), .failure(.idle): throw .overloaded(waiting: readings.count)
        case .failure(.expired): throw .timedOut(after: .zero)
        }
    }

    /// Drops the tenant's snapshot, which may hold words of an erased patient, and what is being read now.
    func forget(_ tenant: TenantID) {
        state.withLock { state in
            state.kept[tenant] = nil
            state.erasures += 1
        }
    }

    /// Whether a tenant's snapshot is kept.
    func keeps(_ tenant: TenantID) -> Bool { state.withLock { $0.kept[tenant] != nil } }

    private func read(_ tenant: TenantID) async -> Result<Snapshot, RecordsError> {
        let erasures = state.withLock { $0.erasures }
        do throws(RecordsError) {
            let open = try await incidents.incidents(of: tenant, limit: limit, by: Deadline(after: Self.patience))
            let snapshot = Snapshot(open, at: .now)
            state.withLock { state in
                state.kept = state.kept.filter { snapshot.takenAt.since($0.value.takenAt) < Self.maximumAge }
                guard state.erasures == erasures, state.kept.count < Self.maximumTenants else { return }
                state.kept[tenant] = snapshot
            }
            return .success(snapshot)
        } catch {
            return .failure(error)
        }
    }
}
