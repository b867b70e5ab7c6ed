package import Foundation

/// What is remembered of a patient when a turn begins: one round trip to the system of record.
package struct PatientMemory: Sendable, Equatable {
    /// One earlier turn of the conversation.
    package struct Exchange: Sendable, Equatable {
        /// What the patient said.
        package let said: String
        /// What was answered; nil when the answer never came to be.
        package let answered: String?
        /// When it was said.
        package let at: Date

        /// Makes an exchange from the record.
        package init(said: String, answered: String?, at: Date) {
            self.said = said
            self.answered = answered
            self.at = at
        }
    }

    /// Who speaks.
    package let patient: Patient
    /// The facts that hold, newest first; superseded ones are not among them.
    package let facts: [Fact]
    /// The last turns of the patient, oldest first.
    package let exchanges: [Exchange]
    /// The reminders that are in force.
    package let reminders: [Reminder]
    /// Who may be told, by priority.
    package let contacts: [Contact]
    /// The same with the ways to reach them, for when the record cannot be asked; empty when those were not read.
    package let reachable: [ContactDetails]
    /// The conversation that still goes on; nil when the last one has gone quiet.
    package let conversation: ConversationID?
    /// The version of the bundle that answered last in the conversation; nil when nothing was answered in it.
    package let conversationBundle: String?
    /// Whether an alert about the patient has not been resolved.
    package let hasOpenAlert: Bool
    /// What the earlier turns of the conversation left open.
    package let state: ConversationState
    /// The answer that was stored for the same idempotency key; nil when the turn is new.
    package let earlier: EarlierAnswer?

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
        hasOpenAlert: Bool = false,
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
        self.hasOpenAlert = hasOpenAlert
        self.state = state
        self.earlier = earlier
    }
}

/// What was stored under an idempotency key.
package struct EarlierAnswer: Sendable, Equatable {
    /// The digest of the body that was answered.
    package let fingerprint: String
    /// The reply as it was given; nil when the turn was admitted and its reply never stored.
    package let reply: Reply?
    /// The message that it answered.
    package let message: MessageID
    /// What was decided of it; nil when that is not known here.
    package let decided: EarlierDecision?

    /// Makes an earlier answer from the record.
    package init(fingerprint: String, reply: Reply?, message: MessageID, decided: EarlierDecision? = nil) {
        self.fingerprint = fingerprint
        self.reply = reply
        self.message = message
        self.decided = decided
    }
}
