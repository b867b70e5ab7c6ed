package import Conversation
package import Foundation

/// The next actions for an alert at one moment: a value, so that rules are tested without clock or network.
package struct AlertPlan: Sendable, Equatable {
    /// A planned message.
    package struct Message: Hashable, Sendable {
        /// Recipient of the message.
        package let recipient: AlertRecipient
        /// Channel of the message.
        package let channel: AlertChannel
        /// Escalation step of the message.
        package let wave: Int
        /// Repetition round of the message.
        package let round: Int

        package init(recipient: AlertRecipient, channel: AlertChannel, wave: Int, round: Int) {
            self.recipient = recipient
            self.channel = channel
            self.wave = wave
            self.round = round
        }
    }

    /// Next state of the alert.
    package var state: AlertState
    /// Reason for the change; empty when nothing changes.
    package var note = ""
    /// Messages to send for the first time.
    package var messages: [Message] = []
    /// Dispatches to send again: their provider could not accept them or their worker died.
    package var again: [DispatchID] = []
    /// Time of the next evaluation; nil when nothing more will be due.
    package var lookAgainAt: Date?
    /// Earlier alert that represents this one.
    package var groupedInto: AlertID?
    /// Alerts that share this alert's digest.
    package var digested: [AlertID] = []

    /// Creates a plan that keeps an alert's state.
    package init(state: AlertState) {
        self.state = state
    }

    /// Moves the next evaluation to an instant if that is earlier.
    mutating func look(at date: Date) {
        lookAgainAt = min(lookAgainAt ?? date, date)
    }
}
