import Runtime
import Synchronization

/// Collects outcomes of jobs, to write them together.
///
/// Outcomes are written when there are enough, when the oldest has waited long enough, and when no job is left that
/// could add one. The jobs of a replica that ends before are done again by another.
final class JobOutcomes: Sendable {
    private struct State {
        var waiting: [JobOutcome] = []
        var oldest: Instant?
        var expected = 0
    }

    private let state = Mutex(State())
    private let limit: Int
    private let patience: Duration

    /// Makes an empty collection.
    ///
    /// - Parameters:
    ///   - limit: The number of outcomes that are written at once.
    ///   - patience: The longest wait of an outcome for others.
    init(atMost limit: Int, within patience: Duration) {
        self.limit = limit
        self.patience = patience
    }

    /// Notes the number of claimed jobs.
    func expect(_ count: Int) {
        state.withLock { $0.expected += count }
    }

    /// Adds the outcome of an expected job; returns the outcomes to be written now.
    func add(_ outcome: JobOutcome, at now: Instant) -> [JobOutcome] {
        state.withLock { state in
            state.waiting.append(outcome)
            state.expected -= 1
            let oldest = state.oldest ?? now
            guard state.expected == 0 || state.waiting.count >= limit || now.since(oldest) >= patience else {
                state.oldest = oldest
                return []
            }
            defer { (state.waiting, state.oldest) = ([], nil) }
            return state.waiting
        }
    }
}
