import Conversation
import Foundation

/// The columns of a contact with its channels, in statement order, and their reader.
enum ContactColumns {
    /// Columns of `contacts`.
    static let names = """
        id, name, relation, priority, is_for_abuse, phone, email, notify_channels, consented_at IS NOT NULL,
        device_token, device_platform, quiet_from, quiet_until, time_zone
        """

    static func read(_ row: inout PostgresRow) throws(RecordsError) -> ContactDetails {
        let contact = try Remembering.readContact(&row)
        let phone = try row.readIfPresent(String.self)
        let email = try row.readIfPresent(String.self)
        let channels = try row.read(StoredArray<String>.self).elements
        let hasConsented = try row.read(Bool.self)
        let device = try readDevice(&row)
        let (from, until) = (try row.readIfPresent(Int.self), try row.readIfPresent(Int.self))
        let quiet = from.flatMap { from in until.flatMap { QuietHours(from: from, until: $0) } }
        return ContactDetails(
            contact: contact,
            phone: phone,
            email: email,
            channels: channels.compactMap(ContactDetails.Channel.init),
            hasConsented: hasConsented,
            device: device,
            quietHours: quiet,
            timeZone: try row.readIfPresent(String.self).flatMap(TimeZones.named)
        )
    }

    private static func readDevice(_ row: inout PostgresRow) throws(RecordsError) -> ContactDetails.Device? {
        let (token, platform) = (try row.readIfPresent(String.self), try row.readIfPresent(String.self))
        guard let token, let platform = platform.flatMap(ContactDetails.Device.Platform.init) else { return nil }
        return ContactDetails.Device(token: token, platform: platform)
    }
}
