import Conversation
import Cryptography
import Foundation
import HTTPServing
import Runtime

extension Schema {
    /// A place on the earth.
    static let place = Schema.object(
        .required("lat", .number(-90...90).noted("Degrees north.")),
        .required("lng", .number(-180...180).noted("Degrees east."))
    ).named("Place")

    /// How full a battery is.
    static let battery = Schema.number(0...1).noted("How full the battery is, 0 to 1.")
}

extension JSONValue {
    /// A place that was checked.
    var place: AlertDetails.Place? {
        guard let latitude = self["lat"]?.number, let longitude = self["lng"]?.number else { return nil }
        return AlertDetails.Place(latitude: latitude, longitude: longitude)
    }
}

extension Call {
    /// The key that a request is known by: the caller's, or else the one that its body has for a minute.
    var repeatKey: String? { values[Parameter.idempotencyKey.name] ?? bodyKey }

    /// The identity of what a request makes, which its key determines, so that every attempt makes the same; nil without
    /// a key.
    func identity(_ kind: String, of patient: PatientID, _ tenant: TenantID) -> UUID? {
        repeatKey.map { UUID(naming: "\(kind) \(tenant) \(patient) \($0)") }
    }

    /// SHA-256 over the route and the body, in one canonical form: what makes a request under a key this one.
    var fingerprint: String { Digest.sha256("\(request.path) \(body.canonical.text)").hex }
}
