/// Where the words come from in fixtures that script no model.
package enum RunMode: String, Sendable, Codable, CaseIterable {
    /// From nowhere: such fixtures are skipped.
    case scripted
    /// From the models of the settings, in real time.
    case live
    /// From the models of the settings, in real time, and kept as recordings.
    case record
    /// From recordings alone, on a simulated clock; no socket is opened.
    case replay

    /// Whether seconds are real.
    package var isLive: Bool { self == .live || self == .record }
}
