package import Runtime

/// Monotonic metrics of the service.
package struct OperatorFigures: Sendable, Equatable {
    /// Attempts to send a message to a provider.
    package var dispatches = 0
    /// Failed attempts among them.
    package var failedDispatches = 0
    /// Answered requests.
    package var requests = 0
    /// Requests answered with status 500 or above.
    package var failedRequests = 0
    /// Answered turns.
    package var turns = 0
    /// Turns that took more than five seconds.
    package var slowTurns = 0

    package init() {}

    fileprivate func since(_ earlier: OperatorFigures) -> OperatorFigures {
        var difference = OperatorFigures()
        difference.dispatches = dispatches - earlier.dispatches
        difference.failedDispatches = failedDispatches - earlier.failedDispatches
        difference.requests = requests - earlier.requests
        difference.failedRequests = failedRequests - earlier.failedRequests
        difference.turns = turns - earlier.turns
        difference.slowTurns = slowTurns - earlier.slowTurns
        return difference
    }
}

/// Evaluates the service limits over the last fifteen minutes: a value, so that tests can move time.
package struct OperatorWindow: Sendable {
    /// Length of the window.
    package static let span = Duration.seconds(15 * 60)
    /// Smallest number of events for which a share is evaluated.
    private static let leastCount = 20

    private struct Limit: Sendable {
        let name: String
        let share: Double
        let part: @Sendable (OperatorFigures) -> (Int, of: Int)
    }

    private static let limits = [
        Limit(name: "of alert dispatches fail", share: 0.02) { ($0.failedDispatches, of: $0.dispatches) },
        Limit(name: "of requests are answered with an error", share: 0.05) { ($0.failedRequests, of: $0.requests) },
        Limit(name: "of turns take more than 5 seconds", share: 0.05) { ($0.slowTurns, of: $0.turns) },
    ]

    private var samples: [(at: Instant, figures: OperatorFigures)] = []
    private var passed: Set<String> = []

    package init() {}

    /// Adds the metrics of an instant and returns the messages for the operators.
    package mutating func take(_ figures: OperatorFigures, at now: Instant) -> [String] {
        samples.append((now, figures))
        while samples.count > 1, now.since(samples[1].at) >= Self.span { samples.removeFirst() }
        let recent = figures.since(samples[0].figures)
        return Self.limits.compactMap { limit in
            let (count, all) = limit.part(recent)
            let isPassed = all >= Self.leastCount && Double(count) > limit.share * Double(all)
            guard isPassed != passed.contains(limit.name) else { return nil }
            if isPassed { passed.insert(limit.name) } else { passed.remove(limit.name) }
            let percent = all == 0 ? 0 : (Double(count) / Double(all) * 1000).rounded() / 10
            let verb = isPassed ? "Page" : "Well again"
            return
                "\(verb): \(percent) % \(limit.name) (\(count) of \(all) in 15 minutes, limit \(Int(limit.share * 100)) %)."
        }
    }
}
