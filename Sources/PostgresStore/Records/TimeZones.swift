import Foundation
import Synchronization

/// Caches time zones by name, because creating one reads a file.
enum TimeZones {
    private static let known = Mutex<[String: TimeZone]>([:])

    /// Returns the zone of a name such as "America/New_York"; nil when there is none.
    static func named(_ name: String) -> TimeZone? {
        if let zone = known.withLock({ $0[name] }) { return zone }
        guard let zone = TimeZone(identifier: name) else { return nil }
        known.withLock { $0[name] = zone }
        return zone
    }
}
