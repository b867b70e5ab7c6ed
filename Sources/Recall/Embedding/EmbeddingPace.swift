import Runtime

/// How fast the engine embeds on this machine now, which says how much of a long message fits into the time that is left.
///
/// A share of the newest measurement is taken into a moving mean, so that a machine that becomes busy is noticed within a
/// few sentences.
struct EmbeddingPace: Sendable, Equatable {
    /// The share of the time left that embedding may be expected to take; the rest is for waking up and for surprises.
    private static let share = 0.6
    /// How much the newest measurement counts.
    private static let weight = 0.2
    /// Fewer tokens than this say little of the pace: what a sentence costs at the least outweighs them.
    private static let fewestMeasuredTokens = 8

    /// The mean time that a token takes, in nanoseconds.
    private(set) var perToken = 1_500_000.0

    /// How many tokens can be embedded within a time, at least 0.
    func tokens(within time: Duration) -> Int {
        let tokens = Double(time.nanoseconds) * Self.share / perToken
        return Int(min(max(0, tokens), 1_000_000))
    }

    /// Takes note of a sentence that was embedded.
    mutating func record(tokens: Int, in time: Duration) {
        guard tokens >= Self.fewestMeasuredTokens, time > .zero else { return }
        let measured = Double(time.nanoseconds) / Double(tokens)
        perToken += (measured - perToken) * Self.weight
    }
}
