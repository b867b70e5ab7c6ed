package import Foundation

/// The person who speaks: an older adult with a companion.
package struct Patient: Sendable, Equatable, Codable {
    /// Which patient.
    package let id: PatientID
    /// Whose customer the patient is.
    package let tenant: TenantID
    /// What the companion calls the patient.
    package let name: String
    /// What the companion calls itself.
    package let companionName: String
    /// Where the patient lives in time; days and times are spoken in it.
    package let timeZone: TimeZone
    /// The language that the patient speaks, a BCP 47 tag such as "en-US" or "es".
    package let language: String
    /// How the companion speaks: "warm" unless the patient prefers otherwise.
    package let tone: String

    /// Makes a patient from the record.
    package init(
        id: PatientID,
        tenant: TenantID,
        name: String,
        companionName: String = "Milo",
        timeZone: TimeZone,
        language: String = "en-US",
        tone: String = "warm"
    ) {
        self.id = id
        self.tenant = tenant
        self.name = name
        self.companionName = companionName
        self.timeZone = timeZone
        self.language = language
        self.tone = tone
    }
}
