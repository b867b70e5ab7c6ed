package import Foundation

/// The identity of one kind of thing; a patient's cannot be passed where a message's is meant.
package struct ID<Kind>: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The identity as it is stored and sent.
    package let uuid: UUID

    /// Makes an identity from one that is stored or sent.
    package init(_ uuid: UUID) {
        self.uuid = uuid
    }

    /// Makes a new identity: a random UUID (RFC 9562, version 4).
    ///
    /// Foundation's own would open the system's device of random bytes for each.
    package init() {
        let (high, low) = (UInt64.random(in: 0...UInt64.max), UInt64.random(in: 0...UInt64.max))
        let versioned = (high & ~0xF000 | 0x4000).bigEndian
        let varied = (low & ~(0b11 << 62) | 0b10 << 62).bigEndian
        uuid = withUnsafeBytes(of: (versioned, varied)) { UUID(uuid: $0.load(as: uuid_t.self)) }
    }

    /// Reads an identity from its text; nil when that is no UUID.
    package init?(_ text: String) {
        guard let uuid = UUID(uuidString: text) else { return nil }
        self.uuid = uuid
    }

    package init(from decoder: any Decoder) throws {
        uuid = try decoder.singleValueContainer().decode(UUID.self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    /// Lower case, as PostgreSQL writes it.
    package var description: String {
        String(unsafeUninitializedCapacity: 36) { text in
            withUnsafeBytes(of: uuid.uuid) { bytes in
                var place = 0
                for (index, byte) in bytes.enumerated() {
                    if index == 4 || index == 6 || index == 8 || index == 10 {
                        text[place] = UInt8(ascii: "-")
                        place += 1
                    }
                    text[place] = Self.digit(byte >> 4)
                    text[place + 1] = Self.digit(byte & 0xF)
                    place += 2
                }
                return place
            }
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}

/// A customer of the service, whose data no other customer sees.
package enum Tenant {}
/// A stretch of turns without a long silence between them.
package enum ConversationThread {}

/// Which tenant.
package typealias TenantID = ID<Tenant>
/// Which patient.
package typealias PatientID = ID<Patient>
/// Which conversation.
package typealias ConversationID = ID<ConversationThread>
/// Which message.
package typealias MessageID = ID<Turn>
/// Which alert.
package typealias AlertID = ID<Alert>
/// Which fact.
package typealias FactID = ID<Fact>
/// Which reminder.
package typealias ReminderID = ID<Reminder>
/// Which contact.
package typealias ContactID = ID<Contact>
/// Which memory.
package typealias MemoryID = ID<RecalledMemory>
