/// A way in which an alert travels to whoever is told.
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

    /// The channel as a contact chose it.
    package init(_ channel: ContactDetails.Channel) {
        switch channel {
        case .push: self = .push
        case .sms: self = .sms
        case .email: self = .email
        }
    }
}

/// Whom an alert is sent to.
package enum AlertRecipient: Hashable, Sendable, Codable {
    /// Somebody of the patient's own.
    case contact(ContactID)
    /// Whoever runs the service.
    case `operator`

    /// The contact; nil for the operator.
    package var contact: ContactID? {
        if case .contact(let id) = self { id } else { nil }
    }
}
