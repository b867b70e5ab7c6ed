import Conversation
import Runtime

/// Results of two bundles on the same fixtures.
package struct SideBySide: Sendable {
    /// Results of one fixture.
    package struct Pair: Sendable, Equatable {
        /// Sample of the active bundle.
        package let old: SampleRecord
        /// Sample of the other bundle.
        package let new: SampleRecord
    }

    /// Pairs in the order of the fixtures.
    package let pairs: [Pair]
    /// Number of requested fixtures.
    package let asked: Int

    /// Takes one sample of each fixture with both bundles, on the caller's event loop.
    ///
    /// - Parameters:
    ///   - deadline: Time after which no new sample starts.
    ///   - progress: Called with the number of finished samples.
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
