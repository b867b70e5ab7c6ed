package import Foundation

/// The weight of a recent memory against an old one.
///
/// `score = (1 - w) · cosine + w · 2^(-age / h)`: with w = 0.05 and h = 14 days a memory of today gains 0.05 over an
/// old one. That settles ties between memories that are about equally close. It cannot make an unrelated memory a
/// near one, since the cosines of related and unrelated sentences lie about 0.3 apart.
///
/// The score stays between -1 and 1. The form is exponential decay, as in Park et al., "Generative Agents", 2023.
package struct Recency: Sendable, Equatable {
    /// The share of recency in the score, 0 to 1.
    package let weight: Float
    /// The seconds after which recency has halved.
    package let halfLife: TimeInterval

    package init(weight: Float = 0.05, halfLife: TimeInterval = 14 * 86_400) {
        precondition(
            (0...1).contains(weight) && halfLife > 0,
            "recency has a weight of 0 to 1 and a half-life"
        )
        self.weight = weight
        self.halfLife = halfLife
    }

    /// Returns the score of a memory.
    ///
    /// - Parameter age: The seconds since the memory; a memory from the future counts as new.
    package func score(cosine: Float, age: TimeInterval) -> Float {
        (1 - weight) * cosine + weight * Float(exp2(-max(0, age) / halfLife))
    }

    /// Returns the highest possible score of a memory with this cosine.
    package func bestScore(cosine: Float) -> Float {
        (1 - weight) * cosine + weight
    }
}
