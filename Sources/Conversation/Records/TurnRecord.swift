package import Foundation
package import Runtime

/// A stored turn in full.
package struct TurnRecord: Sendable {
    /// A memory that was recalled for the turn.
    package struct Memory: Sendable, Equatable {
        /// The message and the reply of the memory; nil when it has been deleted since.
        package let text: String?
        /// The time of the memory; nil when it has been deleted since.
        package let saidAt: Date?
        /// The closeness, from -1 to 1, after recency.
        package let score: Float
        /// True if it was found by an exact word.
        package let isExact: Bool

        package init(text: String?, saidAt: Date?, score: Float, isExact: Bool) {
            self.text = text
            self.saidAt = saidAt
            self.score = score
            self.isExact = isExact
        }
    }

    /// The patient.
    package let patient: Patient
    /// The message and its reply.
    package let message: MessageRecord
    /// The time when the message reached the service.
    package let receivedAt: Date
    /// The device's context of the message.
    package let context: Turn.Context
    /// The findings in the words, including those without effect.
    package let findings: [Finding]
    /// The reply that was sent; nil when none was made.
    package let reply: Reply?
    /// The spans of the trace.
    package let spans: [Trace.Span]
    /// The provenance of the reply; nil for a turn from before it was stored.
    package let making: ReplyMaking?
    /// The recalled memories, nearest first.
    package let memories: [Memory]
    /// The turns before and after it in its conversation.
    package let neighbours: (before: MessageID?, after: MessageID?)

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
