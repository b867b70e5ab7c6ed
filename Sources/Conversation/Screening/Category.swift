/// The subject of a finding, an alert or a check.
package enum Category: String, Sendable, Codable, CaseIterable {
    case fall, cardiac, breathing, stroke, bleeding, unconscious
    case otherMedical = "other_medical"
    case medication
    case selfHarm = "self_harm"
    case confusion, wandering, scam, abuse, neglect, environment, nutrition, distress, inactivity
    case emergencyButton = "emergency_button"
    case noResponse = "no_response"
    case systemDegraded = "system_degraded"
    /// The person asks the service to notify the family of something.
    case request
    /// Another server of the customer reports an event of unknown subject.
    case event
}
