package import Foundation
package import Runtime

/// Is shown every turn after it was answered, on the turn's own path: must only take it and return.
package protocol TurnObserving: Sendable {
    /// Takes a turn; less than a microsecond, and never waits.
    func observe(_ turn: ObservedTurn)
}

/// A turn as it was answered, with all that went into it.
package struct ObservedTurn: Sendable {
    /// The turn.
    package let turn: Turn
    /// Who spoke; nil when memory could not be read.
    package let patient: Patient?
    /// What was found in the words.
    package let screening: Screening
    /// The reply as it was given.
    package let reply: Reply
    /// The arm of a trial that it belongs to; nil when to none.
    package let arm: String?
    /// What the reply was made of.
    package let making: ReplyMaking
    /// The prompt as it was sent; nil when no model was asked.
    package let prompt: Prompt?
    /// Its ledger.
    package let spans: [Trace.Span]
    /// From the request's first byte until now.
    package let elapsed: Duration
    /// When it was answered.
    package let date: Date

    /// Makes what is shown.
    package init(
        turn: Turn,
        patient: Patient?,
        screening: Screening,
        reply: Reply,
        arm: String? = nil,
        making: ReplyMaking,
        prompt: Prompt?,
        spans: [Trace.Span],
        elapsed: Duration,
        date: Date
    ) {
        self.turn = turn
        self.patient = patient
        self.screening = screening
        self.reply = reply
        self.arm = arm
        self.making = making
        self.prompt = prompt
        self.spans = spans
        self.elapsed = elapsed
        self.date = date
    }
}
