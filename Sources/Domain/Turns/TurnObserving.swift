package import Foundation
package import Runtime

/// Receives every turn after it was answered, on the turn's own path; must return at once.
package protocol TurnObserving: Sendable {
    /// Receives a turn; takes less than a microsecond and never waits.
    func observe(_ turn: ObservedTurn)
}

/// An answered turn with all its inputs.
package struct ObservedTurn: Sendable {
    package let turn: Turn
    /// The patient; nil when memory could not be read.
    package let patient: Patient?
    /// The findings in the words.
    package let screening: Screening
    /// The reply that was sent.
    package let reply: Reply
    /// The arm of a trial; nil outside a trial.
    package let arm: String?
    package let provenance: ReplyProvenance
    /// The prompt that was sent; nil when no model was asked.
    package let prompt: Prompt?
    package let spans: [Trace.Span]
    /// The time since the request's first byte.
    package let elapsed: Duration
    /// The time of the answer.
    package let date: Date

    package init(
        turn: Turn,
        patient: Patient?,
        screening: Screening,
        reply: Reply,
        arm: String? = nil,
        provenance: ReplyProvenance,
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
        self.provenance = provenance
        self.prompt = prompt
        self.spans = spans
        self.elapsed = elapsed
        self.date = date
    }
}
