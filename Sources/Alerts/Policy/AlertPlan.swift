package import Conversation
package import Foundation

/// What is to be done about an alert at one moment: a value, so that every rule can be tested without a clock or a network.
package struct AlertPlan: Sendable, Equatable {
    /// A message that is to be sent.
    package struct Message: Hashable, Sendable {
        /// To whom.
        package let recipient: AlertRecipient
        /// By which way.
        package let channel: AlertChannel
        /// Which step of the escalation it belongs to.
        package let wave: Int
        /// Which repetition of the whole.
        package let round: Int

        /// Makes a message.
        package init(recipient: AlertRecipient, channel: AlertChannel, wave: Int, round: Int) {
            self.recipient = recipient
            self.channel = channel
            self.wave = wave
            self.round = round
        }
    }

    /// What the alert becomes.
    package var state: AlertState
    /// Why; empty when nothing changes.
    package var note = ""
    /// What is to be sent for the first time.
    package var messages: [Message] = []
    /// What is to be sent again: its provider was not ready, or its sender died.
    package var again: [DispatchID] = []
    /// When to look again; nil when nothing more will be due.
    package var lookAgainAt: Date?
    /// The earlier alert that stands for this one.
    package var groupedInto: AlertID?
    /// The alerts that are told together with this one.
    package var digested: [AlertID] = []

    /// A plan that leaves an alert where it stands.
    package init(state: AlertState) {
        self.state = state
    }

    /// Moves the next look forward to an instant, if that is earlier.
    mutating func look(at date: Date) {
        lookAgainAt = min(lookAgainAt ?? date, date)
    }
}
