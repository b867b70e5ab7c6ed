import Domain
import Foundation
import Runtime

/// A challenge that a key is to sign.
struct KeyChallenge: Sendable, Equatable {
    /// The key.
    let key: UserKeyID
    /// The tenant of its user.
    let tenant: TenantID
    /// The microseconds since 1970 at which it was made; of one key, a challenge before the last one used is used up.
    let number: Int64
}

/// Challenges for users' keys: tokens of a kind of their own, so that nothing is stored for one that nobody answers.
extension AccessTokens {
    /// Time for an answer.
    static let challengeTime = Duration.seconds(120)

    private static let kind = "challenge+jwt"
    private static let audience = "hearth-key"

    /// Signs a challenge for a key, whether or not there is such a key.
    func challenge(for key: UserKeyID, of tenant: TenantID, at date: Date) -> String {
        let number = Int(date.timeIntervalSince1970 * 1_000_000)
        return sign(
            [
                "aud": .string(Self.audience), "sub": .string(key.description), "tid": .string(tenant.description),
                "num": .integer(number),
            ],
            kind: Self.kind,
            for: Self.challengeTime,
            at: date
        )
    }

    /// Returns what a challenge of this service says.
    func challenge(of text: String, at date: Date) throws(TokenFault) -> KeyChallenge {
        let claims = try checked(text, kind: Self.kind, audience: Self.audience, at: date)
        guard let key = UserKeyID(try claims.text("sub")) else { throw .missing(claim: "sub") }
        guard let tenant = TenantID(try claims.text("tid")) else { throw .missing(claim: "tid") }
        guard let number = claims.json["num"]?.integer else { throw .missing(claim: "num") }
        return KeyChallenge(key: key, tenant: tenant, number: Int64(number))
    }
}
