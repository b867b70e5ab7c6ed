package import Foundation

/// The enrolment or change of a patient by an operator; omitted values stay as they are, or get their defaults.
package struct PatientChange: Sendable, Equatable {
    /// The patient's identity.
    package let id: PatientID
    /// The patient's tenant.
    package let tenant: TenantID
    /// The companion's name for the patient.
    package let name: String
    /// The patient's time zone; nil when omitted.
    package let timeZone: TimeZone?
    /// The patient's language; nil when omitted.
    package let language: String?

    package init(id: PatientID, tenant: TenantID, name: String, timeZone: TimeZone? = nil, language: String? = nil) {
        self.id = id
        self.tenant = tenant
        self.name = name
        self.timeZone = timeZone
        self.language = language
    }
}

extension TimeZone {
    /// The zone's name in the IANA database, where Greenwich Mean Time is UTC.
    package var zoneName: String { identifier == "GMT" ? "UTC" : identifier }
}
