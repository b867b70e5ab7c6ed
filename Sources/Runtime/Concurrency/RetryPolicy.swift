/// The delay before a failed job is tried again.
///
/// `min(longest, first · 2^attempts)`, less a random part of up to a half, so that jobs that failed together do not
/// return together. See "equal jitter" in Brooker, "Exponential Backoff and Jitter", AWS Architecture Blog, 2015.
package struct RetryPolicy: Sendable, Equatable {
    /// The delay after the first attempt, before jitter.
    package let first: Duration
    /// The longest delay.
    package let longest: Duration

    package init(first: Duration = .seconds(5), longest: Duration = .seconds(900)) {
        self.first = first
        self.longest = longest
    }

    /// Returns the delay after a number of earlier attempts.
    ///
    /// - Parameter jitter: A random number from 0 to 1.
    package func delay(after attempts: Int, jitter: Double) -> Duration {
        let doublings = min(max(0, attempts), 30)
        let whole = min(longest, first * (1 << doublings))
        return whole / 2 + (whole / 2) * min(max(0, jitter), 1)
    }
}
