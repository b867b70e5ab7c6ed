package import Runtime

/// Limits the concurrent calls to a provider and adapts the limit to its load.
///
/// Additive increase and multiplicative decrease (Chiu and Jain, 1989) over windows of one second. When a quarter of a
/// window's calls were refused as busy, the limit falls to 0.7 of the calls in flight. A window without such trouble
/// that used most of the limit raises it by a tenth.
package struct ConcurrencyLimit: Sendable, Equatable {
    private static let window = Duration.seconds(1)
    private static let busyShare = 0.25
    private static let minimumBusyCalls = 4

    /// The current maximum number of concurrent calls.
    package private(set) var limit: Int
    /// The number of calls in flight.
    package private(set) var inFlight = 0
    private let bounds: ClosedRange<Int>
    private var windowEnd: Instant?
    private var ended = 0
    private var busy = 0
    private var peak = 0

    /// Makes a limit.
    ///
    /// - Parameters:
    ///   - limit: The initial value.
    ///   - bounds: The lowest and highest value.
    package init(_ limit: Int, within bounds: ClosedRange<Int>) {
        self.limit = min(max(limit, bounds.lowerBound), bounds.upperBound)
        self.bounds = bounds
    }

    /// Admits a call if the limit allows it.
    package mutating func enter(at now: Instant) -> Bool {
        turnWindow(at: now)
        guard inFlight < limit else {
            peak = limit
            return false
        }
        inFlight += 1
        peak = max(peak, inFlight)
        return true
    }

    /// Records the end of a call.
    ///
    /// - Parameter wasBusy: True if the provider was overloaded.
    package mutating func leave(wasBusy: Bool, at now: Instant) {
        inFlight -= 1
        ended += 1
        if wasBusy { busy += 1 }
        turnWindow(at: now)
    }

    private mutating func turnWindow(at now: Instant) {
        guard let end = windowEnd else {
            windowEnd = now + Self.window
            return
        }
        guard now >= end else { return }
        if busy >= Self.minimumBusyCalls, Double(busy) >= Double(ended) * Self.busyShare {
            limit = max(bounds.lowerBound, min(limit, peak) * 7 / 10)
        } else if peak * 10 >= limit * 8 {
            limit = min(bounds.upperBound, limit + max(1, limit / 10))
        }
        windowEnd = now + Self.window
        (ended, busy, peak) = (0, 0, inFlight)
    }
}
