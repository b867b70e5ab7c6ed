import Domain
import Runtime
import Synchronization

/// Checks that the session of an access token is still open, and reads what its user may do now.
///
/// Each session in use is asked for every four seconds. An ended session is therefore refused within five seconds, and
/// a change of a role or a link counts within five seconds.
final class SessionCheck: Sendable {
    private static let (confirmTime, lookUpTime) = (Duration.milliseconds(300), Duration.seconds(1))

    private let records: any UserRecords
    private let time: any TimeSource
    private let cache: Mutex<CredentialCache<SignedInUser>>

    init(_ records: any UserRecords, limits: APILimits, time: any TimeSource) {
        self.records = records
        self.time = time
        // While the records are away, a session stays good as long as its access token: nobody can renew one then.
        cache = Mutex(CredentialCache(freshness: limits.keyFreshness, staleness: AccessTokens.lifetime))
    }

    /// Forgets a session of this replica at once.
    func ended(_ session: UserSessionID) {
        cache.withLock { $0.forget(session.description, at: time.now) }
    }

    /// Returns the user of a token's session.
    ///
    /// - Throws: ``APIError/unknownToken`` when it has ended, or the failure of the records.
    func user(of claims: AccessTokens.Claims, by deadline: Deadline) async throws(APIError) -> SignedInUser {
        let name = claims.session.description
        let found: SignedInUser
        switch cache.withLock({ $0.look(name, at: time.now) }) {
        case .good(let known): found = known
        case .unknown: throw .unknownToken
        case .lookUp: found = try await lookUp(claims, name, by: deadline.capped(to: Self.lookUpTime, from: time.now))
        }
        guard found.user.id == claims.user, found.user.tenant == claims.tenant, found.session.endsAt > time.date else {
            throw .unknownToken
        }
        return found
    }

    private func lookUp(
        _ claims: AccessTokens.Claims,
        _ name: String,
        by deadline: Deadline
    ) async throws(APIError) -> SignedInUser {
        let isKnown = cache.withLock { $0.knows(name) }
        let limit = isKnown ? deadline.capped(to: Self.confirmTime, from: time.now) : deadline
        let found: SignedInUser?
        do throws(RecordsError) {
            found = try await records.session(claims.session, of: claims.tenant, at: time.date, by: limit)
        } catch {
            guard let stale = cache.withLock({ $0.fallBack(name, at: time.now) }) else {
                throw APIError(error, patientAt: "")
            }
            return stale
        }
        cache.withLock { $0.learn(found, for: name, at: time.now) }
        guard let found else { throw .unknownToken }
        return found
    }
}
