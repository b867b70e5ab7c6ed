import Runtime
import Synchronization

/// What became of jobs and is not written yet, to be written together.
///
/// It is written when there is enough of it, when the oldest of it has waited long enough, and when no job is left that
/// could add to it. A replica that ends before has its jobs done again by another.
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
    ///   - limit: How many are enough.
    ///   - patience: How long one waits for others.
    init(atMost limit: Int, within patience: Duration) {
        self.limit = limit
        self.patience = patience
    }

    /// Takes note that so many jobs were taken.
    func expect(_ count: Int) {
        state.withLock { $0.expected += count }
    }

    /// Adds what became of a job that was expected; returns what is to be written now.
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
