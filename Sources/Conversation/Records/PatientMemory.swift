package import Foundation

/// What is remembered of a patient when a turn begins: one round trip to the system of record.
package struct PatientMemory: Sendable, Equatable {
    /// One earlier turn of the conversation.
    package struct Exchange: Sendable, Equatable {
        /// What the patient said.
        package var said: String
        /// What was answered; nil when the answer never came to be.
        package var answered: String?
        /// When it was said.
        package var at: Date

        /// Makes an exchange from the record.
        package init(said: String, answered: String?, at: Date) {
            self.said = said
            self.answered = answered
            self.at = at
        }
    }

    /// Who speaks.
    package var patient: Patient
    /// The facts that hold, newest first; superseded ones are not among them.
    package var facts: [Fact]
    /// The last turns of the patient, oldest first.
    package var exchanges: [Exchange]
    /// The reminders that are in force.
    package var reminders: [Reminder]
    /// Who may be told, by priority.
    package var contacts: [Contact]
    /// The same with the ways to reach them, for when the record cannot be asked; empty when those were not read.
    package var reachable: [ContactDetails]
    /// The conversation that still goes on; nil when the last one has gone quiet.
    package var conversation: ConversationID?
    /// The version of the bundle that answered last in the conversation; nil when nothing was answered in it.
    package var conversationBundle: String?
    /// The categories of the alerts about the patient that are not resolved; nil when that is not known.
    package var openAlerts: Set<Category>?
    /// What the earlier turns of the conversation left open.
    package var state: ConversationState
    /// The answer that was stored for the same idempotency key; nil when the turn is new.
    package var earlier: EarlierAnswer?

    /// Makes a memory from the record.
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

/// What was stored under an idempotency key.
package struct EarlierAnswer: Sendable, Equatable {
    /// The digest of the body that was answered.
    package var fingerprint: String
    /// The reply as it was given; nil when the turn was admitted and its reply never stored.
    package var reply: Reply?
    /// The message that it answered.
    package var message: MessageID
    /// What was decided of it; nil when that is not known here.
    package var decided: EarlierDecision?

    /// Makes an earlier answer from the record.
    package init(fingerprint: String, reply: Reply?, message: MessageID, decided: EarlierDecision? = nil) {
        self.fingerprint = fingerprint
        self.reply = reply
        self.message = message
        self.decided = decided
    }
}
