import Conversation
import Cryptography
import Foundation
import HTTPServing
import Runtime

extension Schema {
    /// A geographic position.
    static let place = Schema.object(
        .required("lat", .number(-90...90).noted("Degrees north.")),
        .required("lng", .number(-180...180).noted("Degrees east."))
    ).named("Place")

    /// The charge of a battery.
    static let battery = Schema.number(0...1).noted("How full the battery is, 0 to 1.")
}

extension JSONValue {
    /// A validated position.
    var place: AlertDetails.Place? {
        guard let latitude = self["lat"]?.number, let longitude = self["lng"]?.number else { return nil }
        return AlertDetails.Place(latitude: latitude, longitude: longitude)
    }
}

extension Call {
    /// The request's idempotency key: the caller's, or else the one derived from its body.
    var repeatKey: String? { values[Parameter.idempotencyKey.name] ?? bodyKey }

    /// Derives the identity of a request's effect from its key, so that every attempt has the same; nil without a key.
    func identity(_ kind: String, of patient: PatientID, _ tenant: TenantID) -> UUID? {
        repeatKey.map { UUID(naming: "\(kind) \(tenant) \(patient) \($0)") }
    }

    /// SHA-256 over the route and the body in one canonical form, which identifies a request under a key.
    var fingerprint: String { Digest.sha256("\(request.path) \(body.canonical.text)").hex }
}
