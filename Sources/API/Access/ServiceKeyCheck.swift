package import Conversation
import Cryptography
package import HTTPServing
package import Runtime
import Synchronization

/// Decides who a caller is by the service key in its `Authorization` header.
///
/// The records are asked every four seconds for each key that is used, and a revocation is announced besides, so that a
/// revoked key is refused within five. While they cannot be asked, a key that they confirmed within the age limit stays
/// good, also after a restart, so that a fall still reaches the service when its database is away; one that was never seen
/// is answered 503, because nobody knows whether it is good.
package final class ServiceKeyCheck: Sendable {
    /// How long the records have to confirm a key that is known, and one that is not.
    private static let (confirmTime, lookUpTime) = (Duration.milliseconds(300), Duration.seconds(1))
    /// How long this machine's disk has to say what was known of a key.
    private static let knowingTime = Duration.milliseconds(100)
    /// How long all keys that are kept have to be confirmed.
    private static let reviewTime = Duration.seconds(4)

    private let records: any ServiceKeyRecords
    private let known: (any KnownKeys)?
    private let time: any TimeSource
    private let cache: Mutex<KeyCache>

    /// Makes a check that asks the records.
    ///
    /// - Parameter known: Keeps keys beyond the end of the process; nil when nothing does.
    package init(
        _ records: any ServiceKeyRecords,
        knowing known: (any KnownKeys)? = nil,
        limits: APILimits,
        time: any TimeSource
    ) {
        self.records = records
        self.known = known
        self.time = time
        cache = Mutex(KeyCache(freshness: limits.keyFreshness, staleness: limits.keyStaleness))
    }

    /// Takes note that a key was revoked.
    package func revoked(_ digest: String) {
        cache.withLock { $0.forget(digest, at: time.now) }
        known?.forget(digest: digest)
    }

    /// Asks the records for every key that is kept: announcements may have been missed.
    package func review() async {
        guard let known else { return }
        let deadline = Deadline(after: Self.reviewTime)
        for digest in await known.digests(by: deadline) {
            guard let found = try? await records.confirm(digest: digest, by: deadline) else { return }
            if !found { revoked(digest) }
        }
    }

    /// The key that a request shows.
    ///
    /// - Throws: ``Refusal/noKey``, ``Refusal/unknownKey``, or why the records could not be asked.
    package func key(of request: HTTPRequest, by deadline: Deadline) async throws(Refusal) -> ServiceKey {
        guard let token = Self.token(request.headers.values("Authorization")) else { throw .noKey }
        let digest = Digest.sha256(token).hex
        switch cache.withLock({ $0.look(digest, at: time.now) }) {
        case .good(let key): return key
        case .unknown: throw .unknownKey
        case .lookUp: return try await lookUp(digest, by: deadline.capped(to: Self.lookUpTime, from: time.now))
        }
    }

    private func lookUp(_ digest: String, by deadline: Deadline) async throws(Refusal) -> ServiceKey {
        let isKnown = cache.withLock { $0.knows(digest) }
        let limit = isKnown ? deadline.capped(to: Self.confirmTime, from: time.now) : deadline
        let found: ServiceKey?
        do throws(RecordsError) {
            found = try await records.key(digest: digest, by: limit)
        } catch {
            guard let stale = await lastKnown(digest) else { throw Refusal(error, patientAt: "") }
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

    /// The key to go on with while the records cannot be asked: of this process, or of one before it.
    private func lastKnown(_ digest: String) async -> ServiceKey? {
        if let stale = cache.withLock({ $0.fallBack(digest, at: time.now) }) { return stale }
        let deadline = Deadline(after: Self.knowingTime)
        guard let (key, age) = await known?.known(digest: digest, by: deadline) else { return nil }
        let now = time.now
        cache.withLock { $0.adopt(key, for: digest, confirmedAt: now + (.zero - age), at: now) }
        return key
    }

    /// The token of the only `Authorization` field, as RFC 6750, section 2.1, writes it; nil for anything else.
    private static func token(_ fields: [String]) -> String? {
        guard fields.count == 1, let field = fields.first, let space = field.firstIndex(of: " ") else { return nil }
        let token = field[field.index(after: space)...].drop { $0 == " " }
        let isBearer = String(field[..<space]).isEqualIgnoringCase(to: "Bearer")
        guard isBearer, (1...512).contains(token.utf8.count),
            token.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        return String(token)
    }
}
