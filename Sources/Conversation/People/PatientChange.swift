package import Foundation

/// A patient as an operator enrols or changes one: what is not given stays as it is, or as it is for everybody.
package struct PatientChange: Sendable, Equatable {
    /// Which patient.
    package let id: PatientID
    /// Whose customer the patient is.
    package let tenant: TenantID
    /// What the companion calls the patient.
    package let name: String
    /// Where the patient lives in time; nil where that is not given.
    package let timeZone: TimeZone?
    /// The language that the patient speaks; nil where that is not given.
    package let language: String?

    /// Makes a change.
    package init(id: PatientID, tenant: TenantID, name: String, timeZone: TimeZone? = nil, language: String? = nil) {
        self.id = id
        self.tenant = tenant
        self.name = name
        self.timeZone = timeZone
        self.language = language
    }
}

extension TimeZone {
    /// The zone's name in the IANA database, in which Greenwich Mean Time is UTC.
    package var zoneName: String { identifier == "GMT" ? "UTC" : identifier }
}
