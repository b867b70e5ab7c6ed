/// The source of a reply's words.
package enum ReplySource: String, Sendable, Codable, CaseIterable {
    case model
    case fallbackModel = "fallback_model"
    /// A complete sentence or clause of a stream that stalled or was cut.
    case salvaged
    /// The patient's records: the time, a reminder, a dose.
    case record
    /// A canned reply that is chosen and filled from the patient's data.
    case memory
    /// A canned reply.
    case fixed
}
