import Foundation
package import Runtime

/// Measures the recent time from a turn's last word to its answer, and reserves it from the model's time.
///
/// A service with time to spare finishes and stores a reply in some milliseconds. A busy one needs far longer, and a
/// turn with the usual reserve would be late. The reserve is twice the longest recent time, which halves every five
/// seconds without a longer one.
package struct ClosingTime: Sendable, Equatable {
    /// The factor of the longest time in the reserve.
    static let margin = 2.0
    /// The time in which the longest time halves.
    static let halfLife = Duration.seconds(5)
    /// The greatest share of a turn's remaining time that is reserved; with less time a model could say nothing.
    static let largestShare = 0.3

    private var longest = 0.0
    private var notedAt: Instant?

    /// Makes a measure without data, which reserves the least time.
    package init() {}

    /// Returns the time to reserve in a turn, `least` or more.
    ///
    /// - Parameters:
    ///   - least: The time that is always reserved.
    ///   - left: The turn's remaining time.
    package func reserve(atLeast least: Duration, of left: Duration, at now: Instant) -> Duration {
        let wanted = Duration.seconds(faded(at: now) * Self.margin)
        return max(least, min(wanted, left * Self.largestShare))
    }

    /// Notes the time to a turn's answer, from its last word or from the end of its model's time if that was earlier.
    package mutating func note(_ took: Duration, at now: Instant) {
        longest = max(took.seconds, faded(at: now))
        notedAt = now
    }

    private func faded(at now: Instant) -> Double {
        guard let notedAt, longest > 0 else { return 0 }
        return longest * exp2(-max(0, now.since(notedAt).seconds) / Self.halfLife.seconds)
    }
}
