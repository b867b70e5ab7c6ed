package import Conversation
import Foundation

/// Who may be told of an alert, and by which ways.
package struct AlertRouting: Sendable, Equatable {
    /// The ways that are configured.
    package let channels: Set<AlertChannel>

    /// Makes the routing for the ways that are configured.
    package init(channels: Set<AlertChannel>) {
        self.channels = channels
    }

    /// The ways to the operators.
    var operators: [AlertChannel] { [.slack, .webhook].filter(channels.contains) }

    /// The contacts who may be told, the first to be told first.
    ///
    /// A contact who has not consented, or whom no configured way reaches, is none. What a caregiver may have done never
    /// goes to the default list: it goes to the contacts that are marked for it, or else to the operators alone.
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

    /// The ways to a contact that are configured, that the contact chose and has an address for, in the contact's order.
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

    /// Whether the caregivers themselves may be what it is about.
    static func isConfidential(_ category: Conversation.Category) -> Bool {
        category == .abuse || category == .neglect
    }
}
