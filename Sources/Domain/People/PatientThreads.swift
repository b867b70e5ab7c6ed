package import Foundation
package import Runtime

/// A fact with the message it came from, for people who check it.
package struct TracedFact: Sendable, Equatable {
    /// The fact.
    package let fact: Fact
    /// The message in which it was said; nil for a fact of the record.
    package let message: MessageID?

    package init(fact: Fact, message: MessageID?) {
        self.fact = fact
        self.message = message
    }
}

/// When a patient was last heard of, and how the patient can be reached.
package struct PatientPresence: Sendable, Equatable {
    /// The time of the last message; nil before the first.
    package let lastHeardAt: Date?
    /// The time at which the app last saw the patient active; nil when it never did.
    package let activeAt: Date?
    /// The patient's telephone number; nil when the record has none.
    package let phone: String?
    /// True if the patient's device takes reminders.
    package let hasDevice: Bool
    /// The patient's open alerts above the level low.
    package let openAlerts: Int

    package init(lastHeardAt: Date?, activeAt: Date?, phone: String?, hasDevice: Bool, openAlerts: Int) {
        self.lastHeardAt = lastHeardAt
        self.activeAt = activeAt
        self.phone = phone
        self.hasDevice = hasDevice
        self.openAlerts = openAlerts
    }
}

/// A filter of a patient's conversation; a nil field filters nothing.
package struct ThreadSearch: Sendable, Equatable {
    /// A part of the message or the reply, in any case.
    package let text: String?
    /// The time before which the messages were said.
    package let before: Date?

    package init(text: String? = nil, before date: Date? = nil) {
        self.text = text
        before = date
    }
}

/// Reads a patient for operators; each call sees its own tenant only.
package protocol PatientThreads: Sendable {
    /// The messages that one search looks through, the newest first.
    static var searchedMessages: Int { get }

    /// Returns when patients were last heard of; unknown patients are left out.
    func presence(
        of patients: [PatientID],
        tenant: TenantID,
        by deadline: Deadline
    ) async throws(RecordsError) -> [PatientID: PatientPresence]

    /// Returns the facts that hold, by kind and then the newest first; at most 300.
    func facts(
        of patient: PatientID,
        tenant: TenantID,
        by deadline: Deadline
    ) async throws(RecordsError) -> [TracedFact]

    /// Returns what a patient said since a date, with the time of each message; the newest 5,000 at most.
    func said(
        of patient: PatientID,
        tenant: TenantID,
        since date: Date,
        by deadline: Deadline
    ) async throws(RecordsError) -> [(at: Date, text: String)]

    /// Returns the messages of a patient, the newest first.
    func thread(
        of patient: PatientID,
        tenant: TenantID,
        matching search: ThreadSearch,
        after cursor: PageCursor?,
        limit: Int,
        by deadline: Deadline
    ) async throws(RecordsError) -> Page<MessageRecord>
}
