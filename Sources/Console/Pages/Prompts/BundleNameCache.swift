import Domain
import Foundation
import Runtime
import Synchronization

/// Names of bundles for the pages of turns, at most a minute old.
///
/// The audit trail, which keeps the names, has no index by action, and turns are looked at often.
final class BundleNameCache: Sendable {
    /// Age up to which names are given again, in seconds.
    private static let maximumAge = 60.0
    private static let maximumTenants = 64

    private let audit: any AuditTrail
    private let kept = Mutex<[TenantID: (names: BundleNames, at: Date)]>([:])

    init(_ audit: any AuditTrail) { self.audit = audit }

    /// The tenant's names; the last known ones, or none, while they cannot be read.
    func names(of tenant: TenantID, at date: Date, by deadline: Deadline) async -> BundleNames {
        let known = kept.withLock { $0[tenant] }
        if let known, date.timeIntervalSince(known.at) < Self.maximumAge { return known.names }
        guard let names = try? await BundleNames.read(audit, of: tenant, by: deadline) else {
            return known?.names ?? BundleNames([])
        }
        kept.withLock { kept in
            kept = kept.filter { date.timeIntervalSince($0.value.at) < Self.maximumAge }
            guard kept.count < Self.maximumTenants else { return }
            kept[tenant] = (names, date)
        }
        return names
    }
}
