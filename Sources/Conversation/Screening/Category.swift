/// What a finding, an alert or a check is about.
package enum Category: String, Sendable, Codable, CaseIterable {
    case fall, cardiac, breathing, stroke, bleeding, unconscious
    case otherMedical = "other_medical"
    case medication
    case selfHarm = "self_harm"
    case confusion, wandering, scam, abuse, neglect, environment, nutrition, distress, inactivity
    case emergencyButton = "emergency_button"
    case noResponse = "no_response"
    case systemDegraded = "system_degraded"
    /// The person asked us to tell the family something.
    case request
    /// Another server of the customer's reports something of which it does not say what it is about.
    case event
}
