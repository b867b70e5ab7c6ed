import Domain
import Foundation
package import Runtime
import Synchronization

/// Sends users one-time links by mail, and signs them in with those.
///
/// The work is done after the answer, in a bounded queue, so that neither the answer nor its time tells whether an
/// address has an account.
package final class SignInLinks: Sendable {
    /// Time for which a link is good.
    package static let lifetime = Duration.seconds(15 * 60)
    /// Good links of a user at most.
    static let limit = 3
    static let prefix = "hearth_link_"
    /// Requests from one network address within ten minutes, and requests that wait, at most.
    private static let (requestsPerAddress, waiting) = (20, 64)
    private static let sendingTime = Duration.seconds(30)

    /// Sends a link's token to a mail address; returns whether the mail server has taken it.
    package typealias Mailing = @Sendable (_ email: String, _ token: String, Deadline) async -> Bool

    private struct State {
        var running = 0
        var requests = SignInThrottle()
    }

    private let records: any SignInLinkRecords
    private let mail: Mailing?
    private let time: any TimeSource
    private let log: Log
    private let state = Mutex(State())

    init(_ records: any SignInLinkRecords, mail: Mailing?, time: any TimeSource, log: Log) {
        self.records = records
        self.mail = mail
        self.time = time
        self.log = log
    }

    /// Has a link sent to the account of an address, if there is one of the role.
    ///
    /// - Throws: ``APIError/tooManySignIns(retryAfter:)`` for a network address that asks too often, whatever it asks.
    func request(_ email: String, role: UserRole, from address: String) throws(APIError) {
        let (wait, isTaken) = state.withLock { state -> (Duration?, Bool) in
            if let wait = state.requests.wait(of: address, at: time.now) { return (wait, false) }
            state.requests.note(failureFrom: address, at: time.now)
            guard state.running < Self.waiting else { return (nil, false) }
            state.running += 1
            return (nil, true)
        }
        if let wait { throw .tooManySignIns(retryAfter: wait) }
        guard isTaken else { return log.warning("sign_in_link_not_sent", "reason" ~ "too many wait") }
        Task {
            await send(User.address(email), role)
            state.withLock { $0.running -= 1 }
        }
    }

    /// The requests that are in progress.
    var running: Int { state.withLock { $0.running } }

    /// Uses a link's token up; returns its user.
    func use(_ text: String, by deadline: Deadline) async throws(APIError) -> User {
        guard let token = TenantSecret(text, prefix: Self.prefix) else { throw .unknownToken }
        let found: User?
        do throws(RecordsError) {
            found = try await records.useLink(token.digest, tenant: token.tenant, at: time.date, by: deadline)
        } catch {
            throw APIError(error, patientAt: "")
        }
        guard let found else { throw .unknownToken }
        return found
    }

    private func send(_ email: String, _ role: UserRole) async {
        let deadline = Deadline(after: Self.sendingTime)
        do throws(RecordsError) {
            guard let mail, let user = try await records.account(with: email, by: deadline), user.role == role else {
                return
            }
            let token = TenantSecret(Self.prefix, for: user.tenant)
            let date = time.date
            let isStored = try await records.storeLink(
                token.digest,
                of: user,
                at: date,
                expiresAt: date.addingTimeInterval(Self.lifetime.seconds),
                limit: Self.limit,
                by: deadline
            )
            guard isStored else { return }
            let isSent = await mail(user.email, token.text, deadline)
            log.write(
                isSent ? .info : .warning,
                isSent ? "sign_in_link_sent" : "sign_in_link_not_sent",
                [
                    "user" ~ user.id.description
                ]
            )
        } catch {
            log.warning("sign_in_link_not_sent", "reason" ~ "\(error)")
        }
    }
}
