package import Runtime

/// Raises the severity of alerts after a message has been recorded.
package protocol TriageRecords: Sendable {
    /// Raises an alert of the message to this one's severity, or writes this one when the message has none.
    ///
    /// The most severe open alert of the message is raised. It keeps its identity and category, and escalates by its
    /// new level, counted from its first time.
    ///
    /// Alerts of abuse or neglect never join others, since other people are notified of them. An acknowledged alert,
    /// or one that is severe enough, stays as it is. A repeated call changes nothing.
    ///
    /// - Throws: ``RecordsError``; the message and its alerts are then unchanged.
    func raise(
        _ alert: Alert,
        of message: MessageID,
        patient: PatientID,
        tenant: TenantID,
        by deadline: Deadline
    ) async throws(RecordsError) -> TriageEffect
}

/// The effect of a second check.
package enum TriageEffect: String, Sendable, CaseIterable {
    /// An alert of the message is more severe now.
    case raised
    /// The message had no alert and now has one.
    case written
    /// The alerts are unchanged.
    case stood
}
