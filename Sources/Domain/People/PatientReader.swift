package import Foundation
package import Runtime

/// A page of a list, newest first.
package struct Page<Item: Sendable & Equatable>: Sendable, Equatable {
    /// The items, at most as many as requested.
    package let items: [Item]
    /// The start of the next page; nil when this is the last.
    package let next: PageCursor?

    /// The greatest number of items in a page.
    package static var maximumItems: Int { 50 }

    package init(items: [Item], next: PageCursor?) {
        self.items = items
        self.next = next
    }
}

/// A place in a list that is ordered by time and identity: the reader's last item.
///
/// Identifies an item rather than counting items to skip, so that a page is found by index and new items shift
/// nothing.
package struct PageCursor: Sendable, Equatable, CustomStringConvertible {
    /// The item's time in microseconds since 1970, as PostgreSQL stores it.
    package let microseconds: Int64
    /// The item's identity.
    package let id: UUID

    /// Makes the cursor of an item.
    package init(at date: Date, id: UUID) {
        microseconds = Int64((date.timeIntervalSince1970 * 1_000_000).rounded())
        self.id = id
    }

    /// Reads a cursor from its text; nil when the text is not a cursor.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let microseconds = Int64(parts[0]), let id = UUID(uuidString: String(parts[1])) else {
            return nil
        }
        self.microseconds = microseconds
        self.id = id
    }

    /// The item's time.
    package var date: Date { Date(timeIntervalSince1970: Double(microseconds) / 1_000_000) }

    /// The cursor in its sent form: the time, a dot and the identity.
    package var description: String { "\(microseconds).\(id.uuidString.lowercased())" }
}

/// A conversation in a list.
package struct ConversationSummary: Sendable, Equatable {
    package let id: ConversationID
    /// The time of its first message.
    package let startedAt: Date
    /// The time of its newest message.
    package let lastMessageAt: Date
    /// The number of the patient's messages.
    package let messageCount: Int
    /// The newest message; nil without one.
    package let latest: MessageRecord?

    package init(
        id: ConversationID,
        startedAt: Date,
        lastMessageAt: Date,
        messageCount: Int,
        latest: MessageRecord?
    ) {
        self.id = id
        self.startedAt = startedAt
        self.lastMessageAt = lastMessageAt
        self.messageCount = messageCount
        self.latest = latest
    }
}

/// Reads a patient's data for the apps, outside a turn.
///
/// Every call is one round trip and sees its own tenant only. Each throws ``RecordsError/unknownPatient(_:)`` when
/// the tenant does not have the patient.
package protocol PatientReader: Sendable {
    /// Returns the patient with the contacts.
    func profile(
        of patient: PatientID,
        tenant: TenantID,
        by deadline: Deadline
    ) async throws(RecordsError) -> PatientProfile

    /// Returns the reminders of the day that contains an instant, in the patient's own zone.
    func schedule(
        of patient: PatientID,
        tenant: TenantID,
        at date: Date,
        by deadline: Deadline
    ) async throws(RecordsError) -> DaySchedule

    /// Returns the patient's active reminders with their events of the two days before an instant.
    func reminders(
        of patient: PatientID,
        tenant: TenantID,
        at date: Date,
        by deadline: Deadline
    ) async throws(RecordsError) -> PatientReminders

    /// Returns the patient's conversations, newest message first.
    ///
    /// - Parameters:
    ///   - cursor: The `next` of the page before; nil for the first page.
    ///   - limit: The number of items, clamped to 1 to ``Page/maximumItems``.
    func conversations(
        of patient: PatientID,
        tenant: TenantID,
        after cursor: PageCursor?,
        limit: Int,
        by deadline: Deadline
    ) async throws(RecordsError) -> Page<ConversationSummary>

    /// Returns the patient's messages with their replies, newest first.
    ///
    /// - Parameters:
    ///   - conversation: The conversation; nil for all.
    ///   - cursor: The `next` of the page before; nil for the first page.
    ///   - limit: The number of items, clamped to 1 to ``Page/maximumItems``.
    func messages(
        of patient: PatientID,
        in conversation: ConversationID?,
        tenant: TenantID,
        after cursor: PageCursor?,
        limit: Int,
        by deadline: Deadline
    ) async throws(RecordsError) -> Page<MessageRecord>
}
