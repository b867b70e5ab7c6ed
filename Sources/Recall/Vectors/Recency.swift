package import Foundation

/// How much more a recent memory counts than an old one.
///
/// `score = (1 - w) · cosine + w · 2^(-age / h)`: with w = 0.05 and h = 14 days a memory of today gains 0.05
/// over one that is months old. That settles ties between memories that are about equally close; the cosines
/// of related and unrelated sentences lie about 0.3 apart, so it does not turn an unrelated memory into a
/// near one. The score stays between -1 and 1. The form is that of exponential decay, as in Park et al.,
/// "Generative Agents", 2023.
package struct Recency: Sendable, Equatable {
    /// The share of the score that is recency, 0 to 1.
    package let weight: Float
    /// After how many seconds half of the recency is left.
    package let halfLife: TimeInterval

    /// Makes a recency.
    package init(weight: Float = 0.05, halfLife: TimeInterval = 14 * 86_400) {
        precondition(
            (0...1).contains(weight) && halfLife > 0,
            "recency has a weight of 0 to 1 and a half-life"
        )
        self.weight = weight
        self.halfLife = halfLife
    }

    /// The score of a memory.
    ///
    /// - Parameter age: Seconds since the memory; one from the future counts as new.
    package func score(cosine: Float, age: TimeInterval) -> Float {
        (1 - weight) * cosine + weight * Float(exp2(-max(0, age) / halfLife))
    }

    /// The most that a memory with this cosine can score.
    package func bestScore(cosine: Float) -> Float {
        (1 - weight) * cosine + weight
    }
}
