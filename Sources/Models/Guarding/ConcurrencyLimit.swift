package import Runtime

/// How many calls a provider is given at once: more while it keeps up, fewer when it says or shows that it does not.
///
/// Additive increase and multiplicative decrease (Chiu and Jain, 1989) over windows of a second: a window in which a quarter
/// of the calls found the provider too busy lowers the limit to seven tenths of what was in flight; one that used most of
/// the limit and had no such trouble raises it by a tenth.
package struct ConcurrencyLimit: Sendable, Equatable {
    private static let window = Duration.seconds(1)
    private static let busyShare = 0.25
    private static let fewestBusy = 4

    /// The most calls at once now.
    package private(set) var limit: Int
    /// How many calls are in flight.
    package private(set) var inFlight = 0
    private let bounds: ClosedRange<Int>
    private var windowEnd: Instant?
    private var ended = 0
    private var busy = 0
    private var peak = 0

    /// Makes a limit.
    ///
    /// - Parameters:
    ///   - limit: What it is at first.
    ///   - bounds: What it may become.
    package init(_ limit: Int, within bounds: ClosedRange<Int>) {
        self.limit = min(max(limit, bounds.lowerBound), bounds.upperBound)
        self.bounds = bounds
    }

    /// Lets a call be made if there is room for it.
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

    /// Takes note of a call's end.
    ///
    /// - Parameter wasBusy: Whether it found the provider with too much to do.
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
        if busy >= Self.fewestBusy, Double(busy) >= Double(ended) * Self.busyShare {
            limit = max(bounds.lowerBound, min(limit, peak) * 7 / 10)
        } else if peak * 10 >= limit * 8 {
            limit = min(bounds.upperBound, limit + max(1, limit / 10))
        }
        windowEnd = now + Self.window
        (ended, busy, peak) = (0, 0, inFlight)
    }
}
