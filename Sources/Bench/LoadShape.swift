/// Schedule of the calls of a load run.
package enum LoadShape: Sendable, Equatable {
    /// Closed loop: each caller calls again once it is answered. Measures latency at a fixed concurrency.
    case closed(inFlight: Int)
    /// Open loop: calls start at a fixed rate, whether earlier calls are answered or not. `callers` limits the
    /// concurrency.
    case open(perSecond: Double, callers: Int)
    /// A day compressed into the run: the rate follows ``DayCurve`` with this mean. `callers` limits the concurrency.
    case day(perSecond: Double, callers: Int)

    /// Number of concurrent callers.
    package var callers: Int {
        switch self {
        case .closed(let count), .open(_, let count), .day(_, let count): count
        }
    }

    /// Planned start of a call, measured from the start of the run; nil if the run has no such call.
    ///
    /// A call of a closed loop is planned for the moment at which its caller is free.
    package func start(ofCall index: Int, in duration: Duration) -> Duration? {
        switch self {
        case .closed: .zero
        case .open(let rate, _):
            Double(index) < rate * duration.inSeconds ? .seconds(Double(index) / rate) : nil
        case .day(let rate, _):
            Double(index) < rate * duration.inSeconds
                ? duration * DayCurve.time(ofShare: Double(index) / (rate * duration.inSeconds)) : nil
        }
    }
}

extension Duration {
    fileprivate var inSeconds: Double { self / .seconds(1) }
}
