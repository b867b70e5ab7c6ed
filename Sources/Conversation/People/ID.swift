package import Foundation

/// The identity of one kind of thing; a patient's cannot be passed where a message's is meant.
package struct ID<Kind>: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The identity as it is stored and sent.
    package let uuid: UUID

    /// Makes an identity from one that is stored or sent.
    package init(_ uuid: UUID) {
        self.uuid = uuid
    }

    /// Makes a new identity.
    package init() {
        uuid = UUID()
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
    package var description: String { uuid.uuidString.lowercased() }
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
