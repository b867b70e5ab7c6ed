package import Foundation

/// Which dispatch.
package typealias DispatchID = ID<Dispatch>

/// One message to one recipient over one channel, and what became of it.
///
/// The identity follows from the alert, the recipient, the channel and the round, so that whoever sends it again sends
/// the same one.
package struct Dispatch: Sendable, Equatable, Codable {
    /// How far it has come.
    package enum State: String, Sendable, Codable, CaseIterable {
        /// Being sent, or its sender died while it sent.
        case sending
        /// To be sent again.
        case retrying
        /// The provider has it.
        case accepted
        /// The recipient's device or mailbox has it.
        case delivered
        /// The recipient has opened it.
        case seen
        /// It will not arrive.
        case failed

        /// Whether nothing more is to be done to send it.
        package var isSettled: Bool { self != .sending && self != .retrying }
    }

    /// Which dispatch; also the idempotency key for the provider.
    package let id: DispatchID
    /// To whom.
    package let recipient: AlertRecipient
    /// By which way.
    package let channel: AlertChannel
    /// Which step of the escalation it belongs to, from 0.
    package let wave: Int
    /// Which repetition of the whole, from 0.
    package let round: Int
    /// When it was decided.
    package let createdAt: Date
    /// How far it has come.
    package var state: State
    /// How often it has been tried.
    package var attempts: Int
    /// When the provider took it.
    package var sentAt: Date?
    /// When it arrived.
    package var deliveredAt: Date?
    /// When it was opened.
    package var seenAt: Date?
    /// When it was given up.
    package var failedAt: Date?
    /// When it is to be tried again.
    package var retryAt: Date?
    /// The provider's name for it.
    package var providerID: String?
    /// What went wrong last, without anything that a patient said.
    package var reason: String?

    /// Makes a dispatch that is about to be sent.
    package init(
        id: DispatchID,
        to recipient: AlertRecipient,
        by channel: AlertChannel,
        wave: Int,
        round: Int,
        createdAt: Date,
        state: State = .sending,
        attempts: Int = 0
    ) {
        self.id = id
        self.recipient = recipient
        self.channel = channel
        self.wave = wave
        self.round = round
        self.createdAt = createdAt
        self.state = state
        self.attempts = attempts
    }
}
