package import Conversation
package import Runtime

/// Delivers notices to their recipients over one channel.
package protocol AlertSender: Sendable {
    /// The channel that this sender serves.
    var channel: AlertChannel { get }

    /// Sends a notice to the provider and returns when the provider has accepted it.
    ///
    /// A notice that may already have been sent is not shown twice, as far as the provider's protocol allows.
    func send(_ notice: AlertNotice, by deadline: Deadline) async throws(SendingFailure) -> SentNotice
}

/// A provider's acceptance of a notice.
package struct SentNotice: Sendable, Equatable {
    /// The provider's identity for the message; empty when it gives none.
    package let providerID: String

    package init(providerID: String = "") {
        self.providerID = providerID
    }
}

/// The reason for which a notice was not accepted.
package enum SendingFailure: Error, Equatable {
    /// The recipient's address is permanently invalid: an unregistered token, or a number that takes no messages.
    case badAddress(reason: String)
    /// The provider rejects the message for good.
    case refused(reason: String)
    /// The provider cannot accept the message now.
    case unavailable(reason: String, retryAfter: Duration?)
    /// The provider may or may not have accepted the message.
    case unknown(reason: String)
    /// The caller was cancelled.
    case cancelled

    /// True when another attempt may succeed.
    package var mayBeTriedAgain: Bool {
        switch self {
        case .badAddress, .refused: false
        case .unavailable, .unknown, .cancelled: true
        }
    }

    /// Short description of the failure.
    package var reason: String {
        switch self {
        case .badAddress(let reason), .refused(let reason), .unavailable(let reason, _), .unknown(let reason): reason
        case .cancelled: "cancelled"
        }
    }

    /// Label of the failure in metrics.
    package var name: String {
        switch self {
        case .badAddress: "bad_address"
        case .refused: "refused"
        case .unavailable: "unavailable"
        case .unknown: "unknown"
        case .cancelled: "cancelled"
        }
    }
}
