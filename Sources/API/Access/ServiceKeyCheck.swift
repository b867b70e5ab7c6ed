import Cryptography
package import Domain
package import Runtime
import Synchronization

/// Authenticates callers by the service key in the `Authorization` header.
///
/// Each key in use is checked against the records every four seconds, and revocations are announced. A revoked key is
/// therefore rejected within five seconds.
///
/// While the records are unavailable, a key confirmed within the age limit stays valid, even after a restart. A fall
/// therefore still reaches the service. A key never seen before is answered 503, because its validity is unknown.
package final class ServiceKeyCheck: Sendable {
    /// Time limits for the records to confirm a known key and to look up an unknown one.
    private static let (confirmTime, lookUpTime) = (Duration.milliseconds(300), Duration.seconds(1))
    /// Time limit for reading a key's last known state from this machine's disk.
    private static let lastKnownTimeLimit = Duration.milliseconds(100)
    /// Time limit for confirming all cached keys.
    private static let reviewTime = Duration.seconds(4)

    private let records: any ServiceKeyRecords
    private let known: (any LastKnownKeys)?
    private let time: any TimeSource
    private let cache: Mutex<KeyCache>

    /// Creates a check that asks the records.
    ///
    /// - Parameter known: Stores keys beyond the end of the process; nil stores none.
    package init(
        _ records: any ServiceKeyRecords,
        knowing known: (any LastKnownKeys)? = nil,
        limits: APILimits,
        time: any TimeSource
    ) {
        self.records = records
        self.known = known
        self.time = time
        cache = Mutex(KeyCache(freshness: limits.keyFreshness, staleness: limits.keyStaleness))
    }

    /// Marks a key as revoked.
    package func revoked(_ digest: String) {
        cache.withLock { $0.forget(digest, at: time.now) }
        known?.forget(digest: digest)
    }

    /// Checks every cached key with the records, because announcements may have been missed.
    package func review() async {
        guard let known else { return }
        let deadline = Deadline(after: Self.reviewTime)
        for digest in await known.digests(by: deadline) {
            guard let found = try? await records.confirm(digest: digest, by: deadline) else { return }
            if !found { revoked(digest) }
        }
    }

    /// Returns the key that a request presents.
    ///
    /// - Throws: ``APIError/unknownKey``, or the failure of the records.
    package func key(_ token: String, by deadline: Deadline) async throws(APIError) -> ServiceKey {
        let digest = Digest.sha256(token).hex
        let key: ServiceKey
        switch cache.withLock({ $0.look(digest, at: time.now) }) {
        case .good(let known): key = known
        case .unknown: throw .unknownKey
        case .lookUp: key = try await lookUp(digest, by: deadline.capped(to: Self.lookUpTime, from: time.now))
        }
        guard !key.isExpired(at: time.date) else { throw .unknownKey }
        return key
    }

    private func lookUp(_ digest: String, by deadline: Deadline) async throws(APIError) -> ServiceKey {
        let isKnown = cache.withLock { $0.knows(digest) }
        let limit = isKnown ? deadline.capped(to: Self.confirmTime, from: time.now) : deadline
        let found: ServiceKey?
        do throws(RecordsError) {
            found = try await records.key(digest: digest, by: limit)
        } catch {
            guard let stale = await lastKnown(digest) else { throw APIError(error, patientAt: "") }
            return stale
        }
        cache.withLock { $0.learn(found, for: digest, at: time.now) }
        guard let found else {
            known?.forget(digest: digest)
            throw .unknownKey
        }
        known?.keep(found, digest: digest)
        return found
    }

    /// Returns the key to use while the records are unavailable, from this process or an earlier one.
    private func lastKnown(_ digest: String) async -> ServiceKey? {
        if let stale = cache.withLock({ $0.fallBack(digest, at: time.now) }) { return stale }
        let deadline = Deadline(after: Self.lastKnownTimeLimit)
        guard let (key, age) = await known?.known(digest: digest, by: deadline) else { return nil }
        let now = time.now
        cache.withLock { $0.adopt(key, for: digest, confirmedAt: now + (.zero - age), at: now) }
        return key
    }
}
