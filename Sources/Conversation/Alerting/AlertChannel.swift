/// A channel of notification.
package enum AlertChannel: String, Sendable, Codable, CaseIterable {
    /// A notification on a contact's telephone.
    case push
    /// A text message to a contact.
    case sms
    /// A mail to a contact.
    case email
    /// A message in the operators' Slack channel.
    case slack
    /// A signed request to the operators' own system.
    case webhook

    /// Makes the channel from a contact's choice.
    package init(_ channel: ContactDetails.Channel) {
        switch channel {
        case .push: self = .push
        case .sms: self = .sms
        case .email: self = .email
        }
    }
}

/// The recipient of an alert.
package enum AlertRecipient: Hashable, Sendable, Codable {
    /// A contact of the patient.
    case contact(ContactID)
    /// The operators of the service.
    case `operator`

    /// The contact; nil for the operator.
    package var contact: ContactID? {
        if case .contact(let id) = self { id } else { nil }
    }
}
