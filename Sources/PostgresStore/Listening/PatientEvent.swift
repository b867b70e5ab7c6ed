package import Domain

/// An announcement that a patient's data must leave the memory of every replica.
package struct PatientEvent: Sendable, Equatable {
    /// The kind of change.
    package enum Kind: String, Sendable {
        /// The patient was closed.
        case closed
        /// The patient was erased, and no copy may be kept.
        case erased
        /// Retention has deleted messages; only the last release announces it so.
        case aged
    }

    /// Channel of these announcements.
    package static let channel = "hearth_patients"

    /// The kind of change.
    package let kind: Kind
    package let patient: PatientID
    package let tenant: TenantID

    init(_ kind: Kind, _ patient: PatientID, of tenant: TenantID) {
        self.kind = kind
        self.patient = patient
        self.tenant = tenant
    }

    /// The announcement's text.
    var payload: String { "\(kind.rawValue) \(tenant) \(patient)" }

    /// Parses an announcement; returns nil when it is malformed.
    package init?(payload: String) {
        let parts = payload.split(separator: " ").map(String.init)
        guard parts.count == 3, let kind = Kind(rawValue: parts[0]), let tenant = TenantID(parts[1]),
            let patient = PatientID(parts[2])
        else { return nil }
        self.init(kind, patient, of: tenant)
    }
}
