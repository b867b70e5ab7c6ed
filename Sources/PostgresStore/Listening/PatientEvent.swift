package import Domain

/// An announcement that a patient's data must leave the memory of every replica.
package struct PatientEvent: Sendable, Equatable {
    /// Reason for which it must.
    package enum Kind: String, Sendable {
        /// The patient is not served any more.
        case closed
        /// The patient was erased, and no copy may be kept.
        case erased
        /// Some of what was said is kept no longer, as the last release announces it; now ``RemovalEvent`` does.
        case aged
    }

    /// Channel of these announcements.
    package static let channel = "hearth_patients"

    /// The reason.
    package let kind: Kind
    /// The patient.
    package let patient: PatientID
    /// The patient's tenant.
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
