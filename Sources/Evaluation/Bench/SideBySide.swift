import Conversation
import Runtime

/// What two bundles answer to the same fixtures.
package struct SideBySide: Sendable {
    /// One fixture with both answers.
    package struct Pair: Sendable, Equatable {
        /// What the bundle in force made of it.
        package let old: SampleRecord
        /// What the other made of it.
        package let new: SampleRecord
    }

    /// The fixtures' pairs, in the order in which they were asked for.
    package let pairs: [Pair]
    /// How many were asked for.
    package let asked: Int

    /// Takes one sample of each fixture with either bundle, on the loop on which it is called.
    ///
    /// - Parameters:
    ///   - deadline: When no new sample is begun.
    ///   - progress: Is told how many samples are done.
    static func take(
        _ fixtures: [Fixture],
        _ old: EvaluationParts,
        _ new: EvaluationParts,
        mode: RunMode,
        by deadline: Deadline,
        progress: (Int) -> Void
    ) async -> SideBySide {
        let runners = (
            SampleRunner(old, grader: Grader(), mode: mode), SampleRunner(new, grader: Grader(), mode: mode)
        )
        var pairs: [Pair] = []
        for fixture in fixtures {
            guard !Task.isCancelled, !deadline.hasPassed() else { break }
            let before = await runners.0.sample(fixture, attempt: 1)
            progress(pairs.count * 2 + 1)
            let after = await runners.1.sample(fixture, attempt: 1)
            pairs.append(Pair(old: before, new: after))
            progress(pairs.count * 2)
        }
        return SideBySide(pairs: pairs, asked: fixtures.count)
    }
}
