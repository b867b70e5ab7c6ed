/// How long a failed job waits before it is tried again.
///
/// `min(longest, first · 2^attempts)`, of which a random half is left out, so that jobs that failed together do not come
/// back together: "equal jitter" in Brooker, "Exponential Backoff and Jitter", AWS Architecture Blog, 2015.
package struct RetryDelay: Sendable, Equatable {
    /// The delay after the first attempt, before jitter.
    package let first: Duration
    /// The longest delay.
    package let longest: Duration

    /// Makes a delay.
    package init(first: Duration = .seconds(5), longest: Duration = .seconds(900)) {
        self.first = first
        self.longest = longest
    }

    /// The delay after a number of attempts before this one.
    ///
    /// - Parameter jitter: A random number from 0 to 1.
    package func delay(after attempts: Int, jitter: Double) -> Duration {
        let doublings = min(max(0, attempts), 30)
        let whole = min(longest, first * (1 << doublings))
        return whole / 2 + (whole / 2) * min(max(0, jitter), 1)
    }
}
