package import Foundation

/// The patient's data at the beginning of a turn; one round trip to the system of record.
package struct PatientMemory: Sendable, Equatable {
    /// One earlier turn of the conversation.
    package struct Exchange: Sendable, Equatable {
        /// The patient's words.
        package var said: String
        /// The reply; nil when none was made.
        package var answered: String?
        /// The time when it was said.
        package var at: Date

        package init(said: String, answered: String?, at: Date) {
            self.said = said
            self.answered = answered
            self.at = at
        }
    }

    /// The patient.
    package var patient: Patient
    /// The valid facts, newest first; superseded facts are left out.
    package var facts: [Fact]
    /// The last turns of the patient, oldest first.
    package var exchanges: [Exchange]
    /// The active reminders.
    package var reminders: [Reminder]
    /// The contacts who may be notified, by priority.
    package var contacts: [Contact]
    /// The same contacts with their channels, for when the record is unavailable; empty when those were not read.
    package var reachable: [ContactDetails]
    /// The conversation in progress; nil when the last one has ended.
    package var conversation: ConversationID?
    /// The version of the bundle that answered last in the conversation; nil without an answer.
    package var conversationBundle: String?
    /// The categories of the patient's unresolved alerts; nil when unknown.
    package var openAlerts: Set<Category>?
    /// The state of the conversation after its earlier turns.
    package var state: ConversationState
    /// The stored answer for the same idempotency key; nil when the turn is new.
    package var earlier: EarlierAnswer?

    package init(
        patient: Patient,
        facts: [Fact] = [],
        exchanges: [Exchange] = [],
        reminders: [Reminder] = [],
        contacts: [Contact] = [],
        reachable: [ContactDetails] = [],
        conversation: ConversationID? = nil,
        conversationBundle: String? = nil,
        openAlerts: Set<Category>? = nil,
        state: ConversationState = ConversationState(),
        earlier: EarlierAnswer? = nil
    ) {
        self.patient = patient
        self.facts = facts
        self.exchanges = exchanges
        self.reminders = reminders
        self.contacts = contacts
        self.reachable = reachable
        self.conversation = conversation
        self.conversationBundle = conversationBundle
        self.openAlerts = openAlerts
        self.state = state
        self.earlier = earlier
    }
}

/// The stored data under an idempotency key.
package struct EarlierAnswer: Sendable, Equatable {
    /// The digest of the answered body.
    package var fingerprint: String
    /// The reply that was sent; nil when the turn was admitted but its reply never stored.
    package var reply: Reply?
    /// The message.
    package var message: MessageID
    /// The decision about it; nil when it is not known here.
    package var decided: EarlierDecision?

    package init(fingerprint: String, reply: Reply?, message: MessageID, decided: EarlierDecision? = nil) {
        self.fingerprint = fingerprint
        self.reply = reply
        self.message = message
        self.decided = decided
    }
}
