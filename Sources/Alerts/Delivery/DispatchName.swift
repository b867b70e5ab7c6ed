package import Conversation
import Cryptography
package import Foundation

/// Derives a dispatch's identity from its content, so that every sender uses the same one.
package enum DispatchName {
    /// Identifies an alert's message to a recipient over a channel in a round.
    ///
    /// The identity is a UUID of version 8 (RFC 9562) from a SHA-256 digest.
    package static func id(of message: AlertPlan.Message, for alert: AlertID) -> DispatchID {
        let recipient = message.recipient.contact?.description ?? "operator"
        return DispatchID(uuid("dispatch \(alert) \(recipient) \(message.channel.rawValue) \(message.round)"))
    }

    /// Derives a UUID from a text.
    package static func uuid(_ text: String) -> UUID {
        UUID(naming: text)
    }
}
