package import Conversation
import Foundation

/// Selects the recipients of an alert and their channels.
package struct AlertRouting: Sendable, Equatable {
    /// Configured channels.
    package let channels: Set<AlertChannel>

    package init(channels: Set<AlertChannel>) {
        self.channels = channels
    }

    /// Channels to the operators.
    var operators: [AlertChannel] { [.slack, .webhook].filter(channels.contains) }

    /// Returns the eligible contacts, highest priority first.
    ///
    /// A contact is eligible with consent and a configured channel. An alert that may concern a caregiver's own conduct
    /// never goes to the default contacts. It goes to the contacts marked for it, or else to the operators alone.
    func contacts(for alertCase: AlertCase) -> [ContactDetails] {
        guard alertCase.alert.category != .systemDegraded else { return [] }
        let isConfidential = Self.isConfidential(alertCase.alert.category)
        return alertCase.contacts
            .filter {
                $0.hasConsented && (!isConfidential || $0.contact.isForAbuse) && !ways(to: $0, alertCase).isEmpty
            }
            .sorted {
                ($0.contact.priority, $0.contact.id.description) < ($1.contact.priority, $1.contact.id.description)
            }
    }

    /// Returns a contact's channels that are configured, chosen and addressed, in the contact's order.
    func ways(to contact: ContactDetails, _ alertCase: AlertCase) -> [AlertChannel] {
        contact.channels.filter { channel in
            switch channel {
            case .push: contact.device != nil
            case .sms: contact.phone != nil
            case .email: contact.email != nil
            }
        }
        .map(AlertChannel.init)
        .filter { channels.contains($0) && alertCase.channels?.contains($0) ?? true }
    }

    /// Returns true when the category may concern a caregiver's own conduct.
    static func isConfidential(_ category: Conversation.Category) -> Bool {
        category == .abuse || category == .neglect
    }
}
