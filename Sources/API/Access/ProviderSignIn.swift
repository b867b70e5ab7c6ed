import Cryptography
import Domain
import Foundation
import Runtime

/// Finds the users whom tokens of identity providers name.
///
/// A person is known by the provider's name for them. A first sign-in belongs to the user of the
/// verified mail address. Without one it makes an account as a senior where the setting allows it.
final class ProviderSignIn: Sendable {
    private static let staleness = Duration.seconds(3600)

    /// A user with the family links to the patients whom the user reaches.
    private struct Person: Equatable {
        let user: User
        let links: [FamilyLink]
    }

    private let tokens: [ProviderTokens]
    private let identities: any ExternalIdentityRecords
    private let time: any TimeSource
    private let people: CredentialLookUp<Person>

    init(
        _ tokens: [ProviderTokens],
        identities: any ExternalIdentityRecords,
        limits: APILimits,
        time: any TimeSource
    ) {
        self.tokens = tokens
        self.identities = identities
        self.time = time
        people = CredentialLookUp(
            freshness: limits.keyFreshness,
            staleness: Self.staleness,
            unknown: .unknownToken,
            time: time
        )
    }

    /// Returns the sender of a provider's token.
    ///
    /// A provider whose key is cached is tried first, so that its token does not wait for another provider's keys.
    ///
    /// - Throws: ``APIError/unknownToken``, ``APIError/providerUnavailable(retryAfter:)``, or the failure of the
    ///   records.
    func caller(of text: String, by deadline: Deadline) async throws(APIError) -> Caller {
        guard let token = try? JSONWebToken(text) else { throw .unknownToken }
        var refusal = APIError.unknownToken
        let known = tokens.filter { $0.hasKey(token.keyID) }
        for provider in known.isEmpty ? tokens : known {
            let claims: TokenClaims
            do throws(TokenFault) {
                claims = try await provider.claims(of: token, by: deadline)
            } catch {
                if case .keysUnavailable(let wait) = error { refusal = .providerUnavailable(retryAfter: wait) }
                continue
            }
            return try await caller(claims, provider.provider, by: deadline)
        }
        throw refusal
    }

    private func caller(
        _ claims: TokenClaims,
        _ provider: IdentityProvider,
        by deadline: Deadline
    ) async throws(APIError) -> Caller {
        guard let subject = claims.json["sub"]?.string else { throw .unknownToken }
        let identity = ExternalIdentity(issuer: provider.issuer, subject: subject)
        let name = "\(provider.tenant) \(identity.issuer) \(identity.subject)"
        let person = try await people.credential(name, by: deadline) { limit throws(RecordsError) in
            if let person = try await self.person(identity, provider, by: limit) { return person }
            try await welcome(identity, claims, provider, by: limit)
            return try await self.person(identity, provider, by: limit)
        }
        let date = time.date
        let session = UserSession(
            id: UserSessionID(UUID(naming: "external session \(name)")),
            user: person.user.id,
            tenant: provider.tenant,
            client: provider.issuer,
            createdAt: date,
            endsAt: date
        )
        var caller = Caller(SignedInUser(session: session, user: person.user, links: person.links))
        if person.user.role.rows == .own { caller.alias = UUID(uuidString: identity.subject) }
        return caller
    }

    private func person(
        _ identity: ExternalIdentity,
        _ provider: IdentityProvider,
        by deadline: Deadline
    ) async throws(RecordsError) -> Person? {
        let found = try await identities.user(of: identity, tenant: provider.tenant, by: deadline)
        return found.map { Person(user: $0.user, links: $0.links) }
    }

    /// Links a person at the first sign-in, if a verified address identifies the person.
    private func welcome(
        _ identity: ExternalIdentity,
        _ claims: TokenClaims,
        _ provider: IdentityProvider,
        by deadline: Deadline
    ) async throws(RecordsError) {
        let isVerified = provider.confirmsEmails || claims.json["email_verified"]?.bool == true
        guard isVerified, let email = claims.json["email"]?.string.map(User.address), TextRule.mailAddress.holds(email)
        else { return }
        guard try await !link(identity, email, provider, by: deadline), provider.makesSeniors else { return }
        try await makeSenior(identity, claims, email, provider, by: deadline)
    }

    private func link(
        _ identity: ExternalIdentity,
        _ email: String,
        _ provider: IdentityProvider,
        by deadline: Deadline
    ) async throws(RecordsError) -> Bool {
        let audit = AuditEntry(actor: "provider \(provider.issuer)", action: "identity_linked")
        return try await identities.link(
            identity,
            toUserWith: email,
            tenant: provider.tenant,
            at: time.date,
            audit: audit,
            by: deadline
        )
    }

    /// Makes the patient and the user of a new senior and links the person, all or nothing, once for each person.
    private func makeSenior(
        _ identity: ExternalIdentity,
        _ claims: TokenClaims,
        _ email: String,
        _ provider: IdentityProvider,
        by deadline: Deadline
    ) async throws(RecordsError) {
        let seed = "\(provider.tenant) \(identity.issuer) \(identity.subject)"
        let name = Transcript(claims.json["name"]?.string ?? "").text
        let shown = String((name.isEmpty ? String(email.prefix { $0 != "@" }) : name).unicodeScalars.prefix(80))
        let id = PatientID(UUID(naming: "external patient \(seed)"))
        var values = PatientValues()
        values.name = shown
        let patient = NewPatient(id: id, tenant: provider.tenant, name: shown, given: values)
        let user = User(
            id: UserID(UUID(naming: "external user \(seed)")),
            tenant: provider.tenant,
            email: email,
            name: shown,
            role: .senior,
            isVerified: true,
            patient: id,
            createdAt: time.date
        )
        let audit = AuditEntry(
            actor: "provider \(provider.issuer)",
            action: "user_made_by_provider",
            patient: id,
            details: ["user": user.id.description]
        )
        _ = try await identities.makeSenior(user, as: patient, for: identity, audit: audit, by: deadline)
    }
}
