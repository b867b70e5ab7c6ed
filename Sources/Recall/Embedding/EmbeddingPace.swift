import Runtime

/// Measures the present speed of embedding, to tell how much of a long message fits into the remaining time.
///
/// A moving mean takes in a share of each measurement, so that it follows a busy machine within a few sentences.
struct EmbeddingPace: Sendable, Equatable {
    /// The share of the remaining time that embedding may take; the rest covers waking up and surprises.
    private static let share = 0.6
    /// The weight of the newest measurement.
    private static let weight = 0.2
    /// The least number of tokens that is measured; below it the fixed cost of a sentence dominates.
    private static let fewestMeasuredTokens = 8

    /// The mean time that a token takes, in nanoseconds.
    private(set) var perToken = 1_500_000.0

    /// Returns the number of tokens that can be embedded within a time, at least 0.
    func tokens(within time: Duration) -> Int {
        let tokens = Double(time.nanoseconds) * Self.share / perToken
        return Int(min(max(0, tokens), 1_000_000))
    }

    /// Records the time of an embedded sentence.
    mutating func record(tokens: Int, in time: Duration) {
        guard tokens >= Self.fewestMeasuredTokens, time > .zero else { return }
        let measured = Double(time.nanoseconds) / Double(tokens)
        perToken += (measured - perToken) * Self.weight
    }
}
