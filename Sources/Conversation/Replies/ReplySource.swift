/// Where a reply's words come from.
package enum ReplySource: String, Sendable, Codable, CaseIterable {
    case model
    case fallbackModel = "fallback_model"
    /// A complete clause of a stream that stalled or was cut.
    case salvaged
    /// The patient's records: the time, a reminder, a dose.
    case record
    /// A line of ours.
    case fixed
}
