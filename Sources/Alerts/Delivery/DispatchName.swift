package import Conversation
import Cryptography
package import Foundation

/// Names a dispatch by what it is, so that everybody who sends it sends the same one.
package enum DispatchName {
    /// The identity of the message of an alert to a recipient over a channel in a round: a UUID of version 8 (RFC 9562) from
    /// a SHA-256 digest.
    package static func id(of message: AlertPlan.Message, for alert: AlertID) -> DispatchID {
        let recipient = message.recipient.contact?.description ?? "operator"
        return DispatchID(uuid("dispatch \(alert) \(recipient) \(message.channel.rawValue) \(message.round)"))
    }

    /// A UUID that a text determines.
    package static func uuid(_ text: String) -> UUID {
        UUID(naming: text)
    }
}
