package import Runtime

/// What operators read of single turns.
package protocol TurnReads: Sendable {
    /// A turn in full; nil when the tenant has none such of this patient.
    func turn(
        _ message: MessageID,
        of patient: PatientID,
        tenant: TenantID,
        by deadline: Deadline
    ) async throws(RecordsError) -> TurnRecord?

    /// Turns as they were answered, in the order in which they are named; those that are not there are left out.
    func turns(
        at places: [TurnPlace],
        of tenant: TenantID,
        by deadline: Deadline
    ) async throws(RecordsError) -> [ObservedTurn]

    /// What was remembered when a turn began, as far as the record still has it.
    ///
    /// Facts, earlier turns and what became of reminders are those of that moment; the patient, the contacts and which reminders are in
    /// force are as they are now. What the conversation carried is what was kept with the turn.
    func memory(before turn: TurnRecord, by deadline: Deadline) async throws(RecordsError) -> PatientMemory
}
