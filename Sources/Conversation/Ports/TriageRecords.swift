package import Runtime

/// Where a graver alert is written after a message has been recorded.
package protocol TriageRecords: Sendable {
    /// Makes an alert of the message as grave as this one, or writes this one when the message has none.
    ///
    /// The gravest open alert of the message is raised; it keeps its identity and category, and is told anew by the clock
    /// of its new level, counted from when it was first raised. What tells of abuse or neglect never joins what does not,
    /// since other people are told of it. An alert that a person has taken on, or that is as grave already, stands. Asked
    /// twice, the second time changes nothing.
    ///
    /// - Throws: ``RecordsError``; the message and its alerts are as they were then.
    func raise(
        _ alert: Alert,
        of message: MessageID,
        patient: PatientID,
        tenant: TenantID,
        by deadline: Deadline
    ) async throws(RecordsError) -> TriageEffect
}

/// What a second look has changed.
package enum TriageEffect: String, Sendable, CaseIterable {
    /// An alert of the message is graver now.
    case raised
    /// The message had no alert and has one now.
    case written
    /// What was there stands.
    case stood
}
