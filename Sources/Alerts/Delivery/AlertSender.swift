package import Conversation
package import Runtime

/// Takes notices to their recipients over one channel.
package protocol AlertSender: Sendable {
    /// Which channel.
    var channel: AlertChannel { get }

    /// Hands a notice to the provider; returns when the provider has taken it.
    ///
    /// A notice that may have been sent before is not shown twice, as far as the provider's protocol allows it.
    func send(_ notice: AlertNotice, by deadline: Deadline) async throws(SendingFailure) -> SentNotice
}

/// What a provider said when it took a notice.
package struct SentNotice: Sendable, Equatable {
    /// The provider's name for the message; empty when it gives none.
    package let providerID: String

    /// Makes what a provider said.
    package init(providerID: String = "") {
        self.providerID = providerID
    }
}

/// Why a provider did not take a notice.
package enum SendingFailure: Error, Equatable {
    /// The recipient's address is not good, and will not be: a token that was given back, a number that takes no messages.
    case badAddress(reason: String)
    /// The provider refuses the message for good.
    case refused(reason: String)
    /// The provider cannot take it now.
    case unavailable(reason: String, retryAfter: Duration?)
    /// Nobody knows whether the provider took it.
    case unknown(reason: String)
    /// The caller was cancelled.
    case cancelled

    /// Whether another attempt has any hope.
    package var mayBeTriedAgain: Bool {
        switch self {
        case .badAddress, .refused: false
        case .unavailable, .unknown, .cancelled: true
        }
    }

    /// What went wrong, in short.
    package var reason: String {
        switch self {
        case .badAddress(let reason), .refused(let reason), .unavailable(let reason, _), .unknown(let reason): reason
        case .cancelled: "cancelled"
        }
    }

    /// How the figures call it.
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
