package import Foundation

/// A contact with the ways to reach it.
package struct ContactDetails: Sendable, Equatable, Codable {
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
    /// The telephone that notifications go to; nil when none is registered.
    package let device: Device?
    /// When the contact is not to be woken for what can wait; nil when at no time.
    package let quietHours: QuietHours?
    /// Where the contact lives in time; nil where the patient does.
    package let timeZone: TimeZone?

    /// A telephone that takes notifications.
    package struct Device: Sendable, Equatable, Codable {
        /// Whose system it runs.
        package enum Platform: String, Sendable, Codable, CaseIterable { case ios, android }

        /// The provider's name for the telephone.
        package let token: String
        /// Whose system it runs.
        package let platform: Platform

        /// Makes a device.
        package init(token: String, platform: Platform) {
            self.token = token
            self.platform = platform
        }
    }

    /// Makes a contact's details.
    package init(
        contact: Contact,
        phone: String? = nil,
        email: String? = nil,
        channels: [Channel] = [.push],
        hasConsented: Bool = false,
        device: Device? = nil,
        quietHours: QuietHours? = nil,
        timeZone: TimeZone? = nil
    ) {
        self.contact = contact
        self.phone = phone
        self.email = email
        self.channels = channels
        self.hasConsented = hasConsented
        self.device = device
        self.quietHours = quietHours
        self.timeZone = timeZone
    }
}
