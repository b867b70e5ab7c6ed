package import Foundation

/// The person who speaks: an older adult with a companion.
package struct Patient: Sendable, Equatable, Codable {
    /// The patient's identity.
    package let id: PatientID
    /// The patient's tenant.
    package let tenant: TenantID
    /// The companion's name for the patient.
    package let name: String
    /// The companion's name for itself.
    package let companionName: String
    /// The patient's time zone; days and times are spoken in it.
    package let timeZone: TimeZone
    /// The patient's language, a BCP 47 tag such as "en-US" or "es".
    package let language: String
    /// The tone of the companion: "warm" unless the patient prefers another.
    package let tone: String

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
