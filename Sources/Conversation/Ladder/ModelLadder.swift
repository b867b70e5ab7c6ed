package import Runtime

/// Decides which model is asked when, and whose words become the reply: the first call, a hedge beside it, the next models,
/// retries, and what can be saved of a stream that broke.
///
/// A value without a clock, a task or a model: events go in with the instant at which they happened, actions come out.
/// The same events at the same instants bring the same actions, so that a schedule that goes wrong can be run again.
///
/// The first call that says something useful is the one that is listened to; the others are stopped. A stream that says
/// nothing more, or whose reply will not be whole in time at the pace that it has, is given up while there is time for
/// another. A complete sentence of a broken stream is a reply; a mere clause is kept in case nothing better comes.
package struct ModelLadder: Sendable {
    /// Something that happened.
    package enum Event: Sendable, Equatable {
        /// The turn is ready for words.
        case begun
        /// A call has said its first useful piece.
        case spoke(call: Int)
        /// A call has ended.
        case ended(call: Int, LadderEnding)
        /// An instant has come that was asked for.
        case woke
    }

    /// Something to be done.
    package enum Action: Sendable, Equatable {
        /// Ask a model.
        case ask(LadderCall, by: Deadline)
        /// Stop a call; one that is given up rather than beaten still tells how it ended.
        case stop(call: Int, StopReason)
        /// Say when an instant has come.
        case wake(at: Instant)
    }

    /// Why a call is stopped.
    package enum StopReason: String, Sendable {
        /// Another spoke first.
        case beaten
        /// It spoke and then said nothing for too long.
        case stalled
        /// Its reply would not be whole in time.
        case slow
        /// The time for words is over.
        case late
        /// Nobody waits for the reply any more.
        case abandoned

        /// Whether it says nothing about the model.
        var isHarmless: Bool { self == .beaten || self == .abandoned }
    }

    /// Whose words become the reply.
    package enum Outcome: Sendable, Equatable {
        /// Those of a call that is whole.
        case words(call: Int)
        /// What can be saved of a call that broke.
        case salvage(call: Int)
        /// Nobody's.
        case none
    }

    /// What is known of the world when something happens.
    package struct View: Sendable {
        /// When it happened.
        package var now: Instant
        /// What each model's calls of late say, in the order of the models.
        package var outlooks: [ModelOutlook]
        /// What has been heard of each call that speaks.
        package var progress: [Int: LadderProgress]

        /// Makes a view.
        package init(now: Instant, outlooks: [ModelOutlook], progress: [Int: LadderProgress] = [:]) {
            self.now = now
            self.outlooks = outlooks
            self.progress = progress
        }
    }

    /// The turn's calls, in the order in which they were made.
    package internal(set) var calls: [LadderCall] = []
    /// What it all came to; nil while it is not decided.
    package internal(set) var outcome: Outcome?
    let settings: LadderSettings
    let start: Instant
    let deadline: Deadline
    private let jitter: Double
    private(set) var remains: (call: Int, worth: LadderEnding.Remains)?
    private var retries = 0
    var retryAt: (instant: Instant, rung: Int)?
    var hedgeDenied: Instant?

    /// Makes a ladder.
    ///
    /// - Parameters:
    ///   - start: When the time for words begins.
    ///   - deadline: When the words must be there.
    ///   - jitter: By how much retries are spread, 0 to 1; drawn anew for each turn.
    package init(from start: Instant, by deadline: Deadline, jitter: Double, settings: LadderSettings = .init()) {
        self.start = start
        self.deadline = deadline
        self.jitter = jitter
        self.settings = settings
    }

    /// Takes note of an event and says what is to be done.
    ///
    /// - Parameter budgets: What may be spent on calls besides the first; shared by all turns.
    package mutating func take(_ event: Event, _ view: View, spending budgets: inout CallBudgets) -> [Action] {
        guard outcome == nil else { return [] }
        var actions: [Action] = []
        switch event {
        case .begun, .woke: break
        case .spoke(let call): actions += listen(to: call)
        case .ended(let call, let ending): note(ending, of: call, view, &budgets)
        }
        if outcome == nil { actions += decide(view, &budgets) }
        if let outcome { actions += stopAll(outcome == .none ? .late : .beaten) }
        return actions
    }
}

// What has happened.
extension ModelLadder {
    /// The first to speak is listened to.
    private mutating func listen(to call: Int) -> [Action] {
        guard calls[call].state == .silent, speaking == nil else { return [] }
        calls[call].state = .speaking
        retryAt = nil
        return stopAll(.beaten, but: call)
    }

    private mutating func note(
        _ ending: LadderEnding,
        of call: Int,
        _ view: View,
        _ budgets: inout CallBudgets
    ) {
        guard calls[call].state != .over else { return }
        calls[call].state = .over
        switch ending {
        case .whole(hasWords: true): outcome = .words(call: call)
        case .whole(hasWords: false): break
        case .failed(let error, let worth):
            keep(worth, of: call)
            if outcome == nil { planRetry(after: error, of: calls[call], view, &budgets) }
        }
    }

    private mutating func keep(_ worth: LadderEnding.Remains, of call: Int) {
        if worth > remains?.worth ?? .nothing { remains = (call, worth) }
        if worth == .sentence { outcome = .salvage(call: call) }
    }

    /// A call that failed is made again when its failure may pass, nothing else can be asked, and the budget allows it.
    private mutating func planRetry(
        after error: ModelError,
        of call: LadderCall,
        _ view: View,
        _ budgets: inout CallBudgets
    ) {
        guard let pause = pause(before: error), retries < settings.retries, running.isEmpty,
            nextRung(view) == nil
        else { return }
        let backoff = settings.retryPause * (1 << retries) * (0.5 + jitter)
        let instant = view.now + max(pause, backoff)
        guard hasTime(at: instant) else { return }
        guard error.isRest || budgets.retries.spend() else { return }
        retries += 1
        retryAt = (instant, call.rung)
    }

    /// How long a provider must be left alone before it may be asked again; nil when that would be in vain.
    private func pause(before error: ModelError) -> Duration? {
        switch error {
        case .unreachable, .malformed, .cutOff, .empty, .timedOut: .zero
        case .resting(let duration): duration
        case .refused(let status, let retryAfter, let message):
            switch status {
            case 200: message == "content_filter" ? nil : .zero
            case 429: retryAfter
            case 500...: retryAfter ?? .zero
            default: nil
            }
        case .tokenLimit, .overloaded, .cancelled: nil
        }
    }
}

// What follows.
extension ModelLadder {
    func hasTime(at now: Instant) -> Bool {
        deadline.instant.since(now) >= settings.leastTime
    }

    var speaking: Int? { calls.first { $0.state == .speaking }?.id }

    var running: [LadderCall] { calls.filter { $0.state != .over } }

    mutating func conclude() {
        outcome = remains.map { .salvage(call: $0.call) } ?? Outcome.none
    }

    private mutating func stopAll(_ reason: StopReason, but kept: Int? = nil) -> [Action] {
        running.filter { $0.id != kept }.map { call in
            calls[call.id].state = .over
            return .stop(call: call.id, reason)
        }
    }
}

extension ModelError {
    /// Whether nothing was asked because the provider is being left alone.
    fileprivate var isRest: Bool {
        if case .resting = self { true } else { false }
    }
}
