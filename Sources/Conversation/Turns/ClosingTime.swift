import Foundation
package import Runtime

/// How long turns lately took from their last word to their answer, and what is kept back from the model for that.
///
/// A service with time to spare finishes and stores a reply in some milliseconds. One whose processor or database is busy takes
/// far longer, and a turn that waited for its model until the usual reserve would then be late. What is kept back is
/// twice the longest such time; that longest time halves every five seconds in which none is longer.
package struct ClosingTime: Sendable, Equatable {
    /// How often the longest time is kept back.
    static let margin = 2.0
    /// In which time the memory of the longest one fades by half.
    static let halfLife = Duration.seconds(5)
    /// The most that is kept back of what a turn has left, as a share; a model that gets less could say nothing.
    static let largestShare = 0.3

    private var longest = 0.0
    private var notedAt: Instant?

    /// Knows nothing: the least is kept back.
    package init() {}

    /// What to keep back of a turn, `least` or more.
    ///
    /// - Parameters:
    ///   - least: What is always kept back.
    ///   - left: The turn's time that is left.
    package func reserve(atLeast least: Duration, of left: Duration, at now: Instant) -> Duration {
        let wanted = Duration.seconds(faded(at: now) * Self.margin)
        return max(least, min(wanted, left * Self.largestShare))
    }

    /// Notes how long a turn took, from the end of its model's time or of its last word, if that was sooner, to its answer.
    package mutating func note(_ took: Duration, at now: Instant) {
        longest = max(took.seconds, faded(at: now))
        notedAt = now
    }

    private func faded(at now: Instant) -> Double {
        guard let notedAt, longest > 0 else { return 0 }
        return longest * exp2(-max(0, now.since(notedAt).seconds) / Self.halfLife.seconds)
    }
}
