import Domain
import Runtime
import Synchronization

/// Authenticates devices by their keys.
///
/// A key in use is asked for every four seconds, so that a lost device is refused within five. While the records are
/// away a key confirmed within a day stays good, as a service key does: a fall still reaches the service.
final class DeviceCheck: Sendable {
    /// The prefix that tells a device's key from other credentials.
    static let prefix = "hearth_device_"
    private static let (confirmTime, lookUpTime) = (Duration.milliseconds(300), Duration.seconds(1))

    private let records: any DeviceRecords
    private let time: any TimeSource
    private let cache: Mutex<CredentialCache<Device>>

    init(_ records: any DeviceRecords, limits: APILimits, time: any TimeSource) {
        self.records = records
        self.time = time
        cache = Mutex(CredentialCache(freshness: limits.keyFreshness, staleness: limits.keyStaleness))
    }

    /// Returns the device whose key a request presents.
    ///
    /// - Throws: ``APIError/unknownKey``, or the failure of the records.
    func device(_ text: String, by deadline: Deadline) async throws(APIError) -> Device {
        guard let secret = TenantSecret(text, prefix: Self.prefix) else { throw .unknownKey }
        switch cache.withLock({ $0.look(secret.digest, at: time.now) }) {
        case .good(let known): return known
        case .unknown: throw .unknownKey
        case .lookUp: return try await lookUp(secret, by: deadline.capped(to: Self.lookUpTime, from: time.now))
        }
    }

    private func lookUp(_ secret: TenantSecret, by deadline: Deadline) async throws(APIError) -> Device {
        let digest = secret.digest
        let isKnown = cache.withLock { $0.knows(digest) }
        let limit = isKnown ? deadline.capped(to: Self.confirmTime, from: time.now) : deadline
        let found: Device?
        do throws(RecordsError) {
            found = try await records.device(key: digest, tenant: secret.tenant, by: limit)
        } catch {
            guard let stale = cache.withLock({ $0.fallBack(digest, at: time.now) }) else {
                throw APIError(error, patientAt: "")
            }
            return stale
        }
        cache.withLock { $0.learn(found, for: digest, at: time.now) }
        guard let found else { throw .unknownKey }
        return found
    }
}
