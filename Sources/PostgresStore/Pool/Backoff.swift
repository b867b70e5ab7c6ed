/// How long to wait before trying again: twice as long each time up to a limit, and a random part of that.
///
/// "Full jitter": many replicas that lost the same server come back spread over the whole wait instead of together.
package struct Backoff: Sendable, Equatable {
    /// The longest first wait.
    package let first: Duration
    /// The longest wait of all.
    package let limit: Duration

    /// Makes a backoff.
    package init(first: Duration = .milliseconds(100), limit: Duration = .seconds(5)) {
        self.first = first
        self.limit = limit
    }

    /// The wait after some failures in a row, 1 or more; `chance` is from 0 to 1.
    ///
    /// At least a tenth of the longest, so that a server that refuses at once is not asked at once again.
    package func delay(afterFailures failures: Int, chance: Double = .random(in: 0...1)) -> Duration {
        let longest = min(limit, first * (1 << min(max(0, failures - 1), 16)))
        return longest * (0.1 + 0.9 * min(max(0, chance), 1))
    }
}
