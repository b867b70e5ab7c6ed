/// Exponential backoff with full jitter: the wait doubles up to a limit, and a random part of it is used.
///
/// The jitter spreads the reconnections of replicas that lost the same server.
package struct Backoff: Sendable, Equatable {
    /// Longest first wait.
    package let first: Duration
    /// Longest wait of all.
    package let limit: Duration

    package init(first: Duration = .milliseconds(100), limit: Duration = .seconds(5)) {
        self.first = first
        self.limit = limit
    }

    /// Returns the wait after a number of consecutive failures, 1 or more; `chance` is from 0 to 1.
    ///
    /// The wait is at least a tenth of the longest, so that an immediate rejection does not cause an immediate retry.
    package func delay(afterFailures failures: Int, chance: Double = .random(in: 0...1)) -> Duration {
        let longest = min(limit, first * (1 << min(max(0, failures - 1), 16)))
        return longest * (0.1 + 0.9 * min(max(0, chance), 1))
    }
}
