/// When calls are meant to begin.
package enum LoadShape: Sendable, Equatable {
    /// So many callers, each of whom calls again when answered; says how long a call takes while that many are under way.
    case closed(inFlight: Int)
    /// So many calls a second, evenly, whether those before them are answered or not, by at most so many callers.
    case open(perSecond: Double, callers: Int)
    /// A day in the time of the run, with so many calls a second in its mean, by at most so many callers.
    case day(perSecond: Double, callers: Int)

    /// How many callers there are.
    package var callers: Int {
        switch self {
        case .closed(let count), .open(_, let count), .day(_, let count): count
        }
    }

    /// When a call is meant to begin, from the beginning of a run; nil when there is no such call.
    ///
    /// A closed loop's call is meant to begin when its caller is free, which is at once.
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
