package import Runtime

/// Keeps a provider that fails from being asked: a value that is told how calls end and says whether the next may be made.
///
/// It opens when half of the calls of the last while have failed, and no fewer than five. After a rest one call is let
/// through; if that succeeds it closes, and if it fails the next rest is twice as long.
package struct CircuitBreaker: Sendable, Equatable {
    /// How it decides.
    package struct Settings: Sendable, Equatable {
        /// For how long an outcome counts.
        package var memory: Duration
        /// The fewest failures that open it.
        package var fewestFailures: Int
        /// The share of failures that opens it, 0 to 1.
        package var failedShare: Double
        /// The first rest.
        package var shortestRest: Duration
        /// The longest rest.
        package var longestRest: Duration

        /// Makes settings; the defaults are the service's.
        package init(
            memory: Duration = .seconds(20),
            fewestFailures: Int = 5,
            failedShare: Double = 0.5,
            shortestRest: Duration = .seconds(1),
            longestRest: Duration = .seconds(30)
        ) {
            self.memory = memory
            self.fewestFailures = fewestFailures
            self.failedShare = failedShare
            self.shortestRest = shortestRest
            self.longestRest = longestRest
        }
    }

    private enum State: Equatable {
        case closed
        case open(until: Instant)
        /// One call tries; others are kept away until it has ended, or should have.
        case probing(until: Instant)
    }

    /// How long a probe keeps others away.
    private static let probeTime = Duration.seconds(5)
    private static let mostOutcomes = 256

    private let settings: Settings
    private var state = State.closed
    private var outcomes: [(at: Instant, failed: Bool)] = []
    private var nextRest: Duration

    /// Makes a closed breaker.
    package init(_ settings: Settings = Settings()) {
        self.settings = settings
        nextRest = settings.shortestRest
    }

    /// For how long no call may be made; zero when one may.
    package func rest(at now: Instant) -> Duration {
        switch state {
        case .closed: .zero
        case .open(let until), .probing(let until): max(.zero, until.since(now))
        }
    }

    /// Lets a call be made or not; the first after a rest is the probe.
    package mutating func admit(at now: Instant) -> Bool {
        guard rest(at: now) == .zero else { return false }
        if state != .closed { state = .probing(until: now + Self.probeTime) }
        return true
    }

    /// Takes note of a call that succeeded.
    package mutating func succeeded(at now: Instant) {
        if case .probing = state {
            outcomes = []
            nextRest = settings.shortestRest
            state = .closed
        }
        note(failed: false, at: now)
    }

    /// Takes note of a call that failed.
    package mutating func failed(at now: Instant) {
        note(failed: true, at: now)
        switch state {
        case .open: break
        case .probing: open(at: now)
        case .closed:
            let failures = outcomes.count { $0.failed }
            let share = Double(failures) / Double(outcomes.count)
            if failures >= settings.fewestFailures, share >= settings.failedShare { open(at: now) }
        }
    }

    /// Takes note of a call that ended without saying anything about the provider; a probe is then still to be made.
    package mutating func ended(at now: Instant) {
        if case .probing = state { state = .open(until: now) }
    }

    /// Leaves the provider alone because it asked to be.
    package mutating func leaveAlone(for duration: Duration, at now: Instant) {
        let until = now + min(duration, settings.longestRest)
        if rest(at: now) < until.since(now) { state = .open(until: until) }
    }

    private mutating func open(at now: Instant) {
        state = .open(until: now + nextRest)
        nextRest = min(nextRest * 2, settings.longestRest)
        outcomes = []
    }

    private mutating func note(failed: Bool, at now: Instant) {
        outcomes.append((now, failed))
        let oldest = now + (.zero - settings.memory)
        outcomes.removeAll { $0.at < oldest }
        if outcomes.count > Self.mostOutcomes { outcomes.removeFirst(outcomes.count - Self.mostOutcomes) }
    }

    package static func == (left: CircuitBreaker, right: CircuitBreaker) -> Bool {
        left.state == right.state && left.nextRest == right.nextRest && left.settings == right.settings
            && left.outcomes.map(\.at) == right.outcomes.map(\.at)
            && left.outcomes.map(\.failed) == right.outcomes.map(\.failed)
    }
}
