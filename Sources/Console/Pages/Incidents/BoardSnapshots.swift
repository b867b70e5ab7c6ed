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
    private let kept = Mutex<[TenantID: Snapshot]>([:])
    private let readings = SharedWork<TenantID, Result<Snapshot, RecordsError>>()

    init(_ incidents: any IncidentBoard, limit: Int) {
        self.incidents = incidents
        self.limit = limit
    }

    /// The tenant's snapshot, which is read anew if it is too old; those who ask meanwhile wait for the same reading.
    func snapshot(of tenant: TenantID, by deadline: Deadline) async throws(RecordsError) -> Snapshot {
        let now = Instant.now
        if let known = kept.withLock({ $0[tenant] }), now.since(known.takenAt) < Self.maximumAge { return known }
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

    private func read(_ tenant: TenantID) async -> Result<Snapshot, RecordsError> {
        do throws(RecordsError) {
            let open = try await incidents.incidents(of: tenant, limit: limit, by: Deadline(after: Self.patience))
            let snapshot = Snapshot(open, at: .now)
            kept.withLock { kept in
                // What is too old to be given again is dropped, so that no words of an erased patient stay here.
                kept = kept.filter { snapshot.takenAt.since($0.value.takenAt) < Self.maximumAge }
                if kept.count < Self.maximumTenants { kept[tenant] = snapshot }
            }
            return .success(snapshot)
        } catch {
            return .failure(error)
        }
    }
}
