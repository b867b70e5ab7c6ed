package import Runtime

/// Reads single turns for operators.
package protocol TurnReads: Sendable {
    /// Returns a turn in full; nil when the tenant does not have it for this patient.
    func turn(
        _ message: MessageID,
        of patient: PatientID,
        tenant: TenantID,
        by deadline: Deadline
    ) async throws(RecordsError) -> TurnRecord?

    /// Returns answered turns in the order of their places; missing turns are left out.
    func turns(
        at places: [TurnPlace],
        of tenant: TenantID,
        by deadline: Deadline
    ) async throws(RecordsError) -> [ObservedTurn]

    /// Returns the memory at the beginning of a turn, as far as the record still has it.
    ///
    /// Facts, earlier turns and reminder events are those of that moment. The patient, the contacts and the active
    /// reminders are the present ones. The conversation's state is the one stored with the turn.
    func memory(before turn: TurnRecord, by deadline: Deadline) async throws(RecordsError) -> PatientMemory
}
