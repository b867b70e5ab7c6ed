/// A circumstance under which what a rule found is not what it seems.
package enum Guard: String, Sendable, Hashable, Codable, CaseIterable {
    /// It is denied: "I did not fall".
    case negation
    /// It is about somebody else: "my neighbour fell".
    case other
    /// It is long ago: "I broke my hip years ago".
    case past
    /// It is asked in general: "what are the signs of a stroke?"
    case question
    /// It has not happened: "if I fell", "I am afraid of falling".
    case hypothetical
    /// It is not life: a film, a dream, a game, a test of the device.
    case unreal
    /// It is a figure of speech: "I fell in love".
    case figure
}
