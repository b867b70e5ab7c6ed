package import Foundation
package import Runtime

/// What the apps read of a patient outside a turn.
///
/// Every call is one round trip and sees its own tenant only; each throws ``RecordsError/unknownPatient(_:)`` when the
/// tenant has no such patient.
package protocol PatientReads: Sendable {
    /// Who the patient is and who may be told.
    func profile(
        of patient: PatientID,
        tenant: TenantID,
        by deadline: Deadline
    ) async throws(RecordsError) -> PatientProfile

    /// What the patient is reminded of on the day, in the patient's own zone, that holds an instant.
    func schedule(
        of patient: PatientID,
        tenant: TenantID,
        at date: Date,
        by deadline: Deadline
    ) async throws(RecordsError) -> DaySchedule

    /// The reminders of the patient that are in force, with what is known of the two days before an instant.
    func reminders(
        of patient: PatientID,
        tenant: TenantID,
        at date: Date,
        by deadline: Deadline
    ) async throws(RecordsError) -> PatientReminders

    /// The patient's conversations, the one with the newest message first.
    ///
    /// - Parameters:
    ///   - cursor: The `next` of the page before; nil for the first page.
    ///   - limit: How many, 1 to ``Page/maximumItems``; held to that range.
    func conversations(
        of patient: PatientID,
        tenant: TenantID,
        after cursor: PageCursor?,
        limit: Int,
        by deadline: Deadline
    ) async throws(RecordsError) -> Page<ConversationSummary>

    /// The patient's messages with their replies, newest first.
    ///
    /// - Parameters:
    ///   - conversation: Only those of this conversation; nil for all.
    ///   - cursor: The `next` of the page before; nil for the first page.
    ///   - limit: How many, 1 to ``Page/maximumItems``; held to that range.
    func messages(
        of patient: PatientID,
        in conversation: ConversationID?,
        tenant: TenantID,
        after cursor: PageCursor?,
        limit: Int,
        by deadline: Deadline
    ) async throws(RecordsError) -> Page<MessageRecord>
}
