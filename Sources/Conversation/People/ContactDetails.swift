/// A contact with the ways to reach it.
package struct ContactDetails: Sendable, Equatable {
    /// A way to reach a contact.
    package enum Channel: String, Sendable, Codable, CaseIterable {
        case push, sms, email
    }

    /// The contact.
    package let contact: Contact
    /// The telephone number, in the international form (E.164); nil when unknown.
    package let phone: String?
    /// The mail address; nil when unknown.
    package let email: String?
    /// How the contact is told, in order of preference.
    package let channels: [Channel]
    /// Whether the contact has agreed to be told.
    package let hasConsented: Bool

    /// Makes a contact's details.
    package init(
        contact: Contact,
        phone: String? = nil,
        email: String? = nil,
        channels: [Channel] = [.push],
        hasConsented: Bool = false
    ) {
        self.contact = contact
        self.phone = phone
        self.email = email
        self.channels = channels
        self.hasConsented = hasConsented
    }
}
