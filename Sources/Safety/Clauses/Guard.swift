/// A circumstance that changes the meaning of a rule's match.
package enum Guard: String, Sendable, Hashable, Codable, CaseIterable {
    /// The finding is denied: "I did not fall".
    case negation
    /// The finding is about somebody else: "my neighbour fell".
    case other
    /// The finding is long past: "I broke my hip years ago".
    case past
    /// The finding is a general question: "what are the signs of a stroke?"
    case question
    /// The finding has not happened: "if I fell", "I am afraid of falling".
    case hypothetical
    /// The finding is not real: a film, a dream, a game, a test of the device.
    case unreal
    /// The finding is a figure of speech: "I fell in love".
    case figure
}
