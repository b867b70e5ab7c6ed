/// Where a reply's words come from.
package enum ReplySource: String, Sendable, Codable, CaseIterable {
    case model
    case fallbackModel = "fallback_model"
    /// A complete sentence or clause of a stream that stalled or was cut.
    case salvaged
    /// The patient's records: the time, a reminder, a dose.
    case record
    /// A line of ours that is chosen and filled by what is remembered of the patient.
    case memory
    /// A line of ours.
    case fixed
}
