package import Conversation
import Cryptography
package import Foundation

/// What a link lets whoever holds it do: say what became of one dispatch, and take its alert on.
package struct AlertGrant: Sendable, Equatable {
    /// Whose customer the patient is.
    package let tenant: TenantID
    /// About whom.
    package let patient: PatientID
    /// Which alert.
    package let alert: AlertID
    /// Which dispatch.
    package let dispatch: DispatchID
    /// Who.
    package let contact: ContactID
    /// Until when, to the second.
    package let expiresAt: Date

    /// Makes a grant.
    package init(
        tenant: TenantID,
        patient: PatientID,
        alert: AlertID,
        dispatch: DispatchID,
        contact: ContactID,
        expiresAt: Date
    ) {
        self.tenant = tenant
        self.patient = patient
        self.alert = alert
        self.dispatch = dispatch
        self.contact = contact
        self.expiresAt = expiresAt
    }
}

/// Why a link opens nothing.
package enum LinkFailure: Error, Equatable {
    /// It was not made with our key, or was changed.
    case forged
    /// Its time has passed; the grant that it was.
    case expired(AlertGrant)
}

/// Makes links that can be followed without a password, and opens them again.
///
/// A token is the grant's bytes and their HMAC-SHA-256, in base64url: 171 characters. Whoever has the key can make one; who
/// has a token can take on one alert, as one contact, until it expires.
package struct AlertLinks: Sendable {
    /// How long a link is good.
    package static let lifetime: TimeInterval = 24 * 3600
    private static let codeBytes = 32
    private static let grantBytes = 5 * 16 + 8

    private let authentication: MessageAuthentication
    /// The service's address as the world sees it, without a slash at its end.
    package let base: String

    /// Makes links under a key of 32 random bytes.
    package init(key: [UInt8], base: String) {
        authentication = MessageAuthentication(key: key)
        self.base = base
    }

    /// What a dispatch's recipient may do; nil for the operators, who have other ways.
    package func grant(for dispatch: Dispatch, of alertCase: AlertCase) -> AlertGrant? {
        guard let contact = dispatch.recipient.contact else { return nil }
        return AlertGrant(
            tenant: alertCase.patient.tenant,
            patient: alertCase.patient.id,
            alert: alertCase.alert.id,
            dispatch: dispatch.id,
            contact: contact,
            expiresAt: dispatch.createdAt.addingTimeInterval(Self.lifetime)
        )
    }

    /// The page on which the recipient takes the alert on.
    package func page(_ grant: AlertGrant) -> String { "\(base)/a/\(token(grant))" }

    /// Where the provider and the device say what became of the message.
    package func receipts(_ grant: AlertGrant) -> String { "\(base)/callbacks/twilio/status/\(token(grant))" }

    /// What every token of the same dispatch begins with, whenever it expires: the identities' 80 bytes, of which 78 make
    /// whole characters.
    package func marker(_ grant: AlertGrant) -> String { "/a/" + token(grant).prefix(104) }

    /// The token of a grant.
    package func token(_ grant: AlertGrant) -> String {
        var bytes: [UInt8] = []
        for id in [
            grant.tenant.uuid, grant.patient.uuid, grant.alert.uuid, grant.dispatch.uuid, grant.contact.uuid,
        ] {
            withUnsafeBytes(of: id.uuid) { bytes.append(contentsOf: $0) }
        }
        let seconds = UInt64(max(0, grant.expiresAt.timeIntervalSince1970.rounded(.up)))
        withUnsafeBytes(of: seconds.bigEndian) { bytes.append(contentsOf: $0) }
        return Base64URL.text(of: bytes + authentication.code(for: bytes))
    }

    /// Opens a token.
    package func open(_ token: String, at now: Date) throws(LinkFailure) -> AlertGrant {
        guard let bytes = Base64URL.bytes(of: token), bytes.count == Self.grantBytes + Self.codeBytes else {
            throw .forged
        }
        let (content, code) = (bytes.prefix(Self.grantBytes), bytes.suffix(Self.codeBytes))
        guard authentication.isCode(code, for: content) else { throw .forged }
        let grant = Self.grant(Array(content))
        guard now < grant.expiresAt else { throw .expired(grant) }
        return grant
    }

    private static func grant(_ bytes: [UInt8]) -> AlertGrant {
        bytes.withUnsafeBytes { raw in
            func uuid(_ place: Int) -> UUID {
                UUID(uuid: raw.loadUnaligned(fromByteOffset: place * 16, as: uuid_t.self))
            }
            let seconds = UInt64(bigEndian: raw.loadUnaligned(fromByteOffset: 80, as: UInt64.self))
            return AlertGrant(
                tenant: TenantID(uuid(0)),
                patient: PatientID(uuid(1)),
                alert: AlertID(uuid(2)),
                dispatch: DispatchID(uuid(3)),
                contact: ContactID(uuid(4)),
                expiresAt: Date(timeIntervalSince1970: Double(seconds))
            )
        }
    }
}
