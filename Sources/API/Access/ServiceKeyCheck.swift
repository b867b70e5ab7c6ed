package import Conversation
import Cryptography
package import HTTPServing
package import Runtime
import Synchronization

/// Decides who a caller is by the service key in its `Authorization` header.
///
/// The records are asked once a minute for each key at most. While they cannot be asked, a key that was good within the
/// last day stays good, so that a fall still reaches the service when its database is away; one that was never seen is
/// answered 503, because nobody knows whether it is good. A revoked key works for another minute at most, and no longer
/// than a day if the database was away all that time.
package final class ServiceKeyCheck: Sendable {
    private static let lookUpTime = Duration.seconds(1)
    private let records: any ServiceKeyRecords
    private let time: any TimeSource
    private let cache: Mutex<KeyCache>

    /// Makes a check that asks the records.
    package init(_ records: any ServiceKeyRecords, limits: APILimits, time: any TimeSource) {
        self.records = records
        self.time = time
        cache = Mutex(KeyCache(freshness: limits.keyFreshness, staleness: limits.keyStaleness))
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
        let found: ServiceKey?
        do throws(RecordsError) {
            found = try await records.key(digest: digest, by: deadline)
        } catch {
            let stale = cache.withLock { $0.fallBack(digest, at: time.now) }
            guard let stale else { throw Refusal(error, patientAt: "") }
            return stale
        }
        cache.withLock { $0.learn(found, for: digest, at: time.now) }
        guard let found else { throw .unknownKey }
        return found
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
