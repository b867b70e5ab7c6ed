package import Foundation
package import Runtime

/// A turn in full, as it is stored.
package struct TurnRecord: Sendable {
    /// Something that was recalled for it.
    package struct Memory: Sendable, Equatable {
        /// What was said then, and answered; nil when it has been forgotten since.
        package let text: String?
        /// When; nil when it has been forgotten since.
        package let saidAt: Date?
        /// How close it was, from -1 to 1, after recency.
        package let score: Float
        /// Whether it was found by an exact word.
        package let isExact: Bool

        /// Makes a memory from the record.
        package init(text: String?, saidAt: Date?, score: Float, isExact: Bool) {
            self.text = text
            self.saidAt = saidAt
            self.score = score
            self.isExact = isExact
        }
    }

    /// Who spoke.
    package let patient: Patient
    /// What was said and answered.
    package let message: MessageRecord
    /// When the message reached the service.
    package let receivedAt: Date
    /// What made the device send it.
    package let context: Turn.Context
    /// What was found in the words, also what was weighed and let go.
    package let findings: [Finding]
    /// The reply as it was given; nil when it never came to be.
    package let reply: Reply?
    /// The ledger.
    package let spans: [Trace.Span]
    /// What the reply was made of; nil for one from before that was kept.
    package let making: ReplyMaking?
    /// What was recalled, nearest first.
    package let memories: [Memory]
    /// The turn before it in its conversation, and the turn after it.
    package let neighbours: (before: MessageID?, after: MessageID?)

    /// Makes a turn from the record.
    package init(
        patient: Patient,
        message: MessageRecord,
        receivedAt: Date,
        context: Turn.Context,
        findings: [Finding],
        reply: Reply?,
        spans: [Trace.Span],
        making: ReplyMaking?,
        memories: [Memory],
        neighbours: (before: MessageID?, after: MessageID?)
    ) {
        self.patient = patient
        self.message = message
        self.receivedAt = receivedAt
        self.context = context
        self.findings = findings
        self.reply = reply
        self.spans = spans
        self.making = making
        self.memories = memories
        self.neighbours = neighbours
    }
}
