import Conversation
import Runtime

/// What is known of a provider by how its calls ended: whether it may be asked, by how many at once, and how soon it speaks.
struct ProviderHealth: Sendable {
    /// How a call ended, as far as it says something about the provider.
    enum Ending: Equatable {
        /// It brought useful text.
        case spoke
        /// It was stopped before it could show anything.
        case unknown
        /// It was stopped after a silence that no provider in order keeps.
        case silent
        case failed(ModelError)
    }

    /// How long a provider that is stopped must have been silent for that to count against it.
    static let longSilence = Duration.seconds(1)

    private(set) var breaker: CircuitBreaker
    private(set) var concurrency: ConcurrencyLimit
    private(set) var firstPieces = FirstPieceTimes()

    init(_ settings: GuardedModel.Settings) {
        breaker = CircuitBreaker(settings.breaker)
        concurrency = ConcurrencyLimit(settings.concurrency, within: settings.concurrencyBounds)
    }

    func outlook(at now: Instant) -> ModelOutlook {
        ModelOutlook(firstPieceWithin: firstPieces.ninetieth, rest: breaker.rest(at: now))
    }

    /// Lets a call be made, or says why it may not be.
    mutating func admit(at now: Instant) throws(ModelError) {
        let rest = breaker.rest(at: now)
        guard rest == .zero else { throw .resting(for: rest) }
        guard concurrency.enter(at: now) else { throw .overloaded(inFlight: concurrency.inFlight) }
        _ = breaker.admit(at: now)
    }

    mutating func spoke(after time: Duration) {
        firstPieces.add(time)
    }

    mutating func ended(_ ending: Ending, at now: Instant) {
        concurrency.leave(wasBusy: ending.isBusy, at: now)
        if case .failed(.refused(_, let retryAfter?, _)) = ending { breaker.leaveAlone(for: retryAfter, at: now) }
        switch ending {
        case .spoke: breaker.succeeded(at: now)
        case .unknown: breaker.ended(at: now)
        case .silent: breaker.failed(at: now)
        case .failed(let error): error.isProviders ? breaker.failed(at: now) : breaker.ended(at: now)
        }
    }
}

extension ProviderHealth.Ending {
    /// Whether the provider had too much to do.
    fileprivate var isBusy: Bool {
        switch self {
        case .silent, .failed(.timedOut), .failed(.refused(429, _, _)), .failed(.refused(503, _, _)),
            .failed(.refused(529, _, _)):
            true
        default: false
        }
    }
}

extension ModelError {
    /// Whether the failure is the provider's, and another call would probably meet it too.
    ///
    /// A status of 400, 413 or 422 is about the one request.
    fileprivate var isProviders: Bool {
        switch self {
        case .unreachable, .timedOut, .malformed, .cutOff, .empty: true
        case .refused(let status, _, let message):
            status == 200 ? message != "content_filter" : ![400, 413, 422].contains(status)
        case .tokenLimit, .overloaded, .resting, .cancelled: false
        }
    }
}
