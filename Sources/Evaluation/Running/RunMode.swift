/// Source of the model's words for fixtures without a scripted model.
package enum RunMode: String, Sendable, Codable, CaseIterable {
    /// None: such fixtures are skipped.
    case scripted
    /// The configured models, in real time.
    case live
    /// The configured models, in real time, with recording.
    case record
    /// Recordings only, on a simulated clock; no socket is opened.
    case replay

    /// Whether time is real.
    package var isLive: Bool { self == .live || self == .record }
}
