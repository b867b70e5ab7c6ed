package import Foundation
package import Runtime

/// Why the system of record did not do what it was asked.
package enum RecordsError: Error, Equatable {
    /// No connection could be had.
    case unavailable(reason: String)
    /// As many requests as may wait for a connection wait already; nothing was sent.
    case overloaded(waiting: Int)
    /// The deadline passed.
    case timedOut(after: Duration)
    /// The tenant has no such patient.
    case unknownPatient(PatientID)
    /// Another turn holds the same idempotency key.
    case keyTaken(String)
    /// The caller was cancelled.
    case cancelled
    /// The statement was refused; the code is PostgreSQL's SQLSTATE.
    case refused(code: String, message: String)
    /// A stored value is not what the schema promises.
    case unreadable(column: String, reason: String)
}

extension RecordsError {
    /// Whether the system of record may take the same another time, so that it is worth keeping until then.
    ///
    /// Of what PostgreSQL refused that is: lost connections, rolled-back transactions, want of resources, and a server that
    /// is stopping or starting (SQLSTATE classes 08, 25, 40, 53, 55, 57, 58).
    package var mayPass: Bool {
        switch self {
        case .unavailable, .overloaded, .timedOut, .cancelled: true
        case .unknownPatient, .keyTaken, .unreadable: false
        case .refused(let code, _): ["08", "25", "40", "53", "55", "57", "58"].contains { code.hasPrefix($0) }
        }
    }
}

/// The system of record, as the pipeline uses it.
///
/// Every call is one round trip and sees its own tenant only.
package protocol PatientRecords: TriageRecords {
    /// Reads who the patient is and what is remembered, and what was answered before under the turn's key.
    ///
    /// - Throws: ``RecordsError/unknownPatient(_:)`` when the tenant has no such patient.
    func remember(_ turn: Turn, by deadline: Deadline) async throws(RecordsError) -> PatientMemory

    /// Writes the message with its decision and its alerts in one transaction; they are durable when it returns.
    ///
    /// - Throws: ``RecordsError/keyTaken(_:)`` when the key has been used since ``remember(_:by:)`` looked.
    func record(_ turn: RecordedTurn, by deadline: Deadline) async throws(RecordsError)

    /// Writes the reply, the trace, the exchange as a memory, and the jobs that follow from it.
    ///
    /// - Returns: Where the memory stands; nil when there is none, or it was written before.
    @discardableResult
    func commit(_ turn: CommittedTurn, by deadline: Deadline) async throws(RecordsError) -> MemoryPlace?
}

/// What is written before the model is asked.
package struct RecordedTurn: Sendable {
    /// The turn.
    package let turn: Turn
    /// The conversation that it belongs to; made if it does not exist.
    package let conversation: ConversationID
    /// What was found.
    package let screening: Screening
    /// What was decided.
    package let decision: Decision
    /// The answer to a reminder that the message gives, if it gives one.
    package let reminderAnswer: ReminderAnswer?
    /// How far people were told of its alerts before it could be recorded; empty when nobody was.
    package var told: [AlertCase]

    /// Makes what is written.
    package init(
        turn: Turn,
        conversation: ConversationID,
        screening: Screening,
        decision: Decision,
        reminderAnswer: ReminderAnswer?,
        told: [AlertCase] = []
    ) {
        self.turn = turn
        self.conversation = conversation
        self.screening = screening
        self.decision = decision
        self.reminderAnswer = reminderAnswer
        self.told = told
    }
}

/// What a message said of a reminder.
package struct ReminderAnswer: Sendable, Equatable, Codable {
    /// Which reminder.
    package let reminder: ReminderID
    /// When it was due.
    package let dueAt: Date
    /// What became of it.
    package let status: Reminder.Event.Status

    /// Makes an answer.
    package init(reminder: ReminderID, dueAt: Date, status: Reminder.Event.Status) {
        self.reminder = reminder
        self.dueAt = dueAt
        self.status = status
    }
}

/// What is written when the reply is made.
package struct CommittedTurn: Sendable {
    /// The turn.
    package let turn: Turn
    /// The reply as it is given.
    package let reply: Reply
    /// What the conversation carries on.
    package let state: ConversationState
    /// The ledger so far.
    package let spans: [Trace.Span]
    /// What the reply was made of; nil when that is not known.
    package let making: ReplyMaking?
    /// The exchange as a memory; nil when it is none, or is made by a job.
    package let memory: EmbeddedMemory?
    /// The message whose exchange a job is to make a memory of; nil when none is.
    package let embeds: MessageID?

    /// Makes what is written.
    package init(
        turn: Turn,
        reply: Reply,
        state: ConversationState,
        spans: [Trace.Span],
        making: ReplyMaking? = nil,
        memory: EmbeddedMemory? = nil,
        embeds: MessageID? = nil
    ) {
        self.turn = turn
        self.reply = reply
        self.state = state
        self.spans = spans
        self.making = making
        self.memory = memory
        self.embeds = embeds
    }
}
