package import Runtime

/// Why something could not be kept in the spool.
package enum SpoolError: Error, Equatable {
    /// The spool holds as much as it may, or the disk is full.
    case full
    /// It was not written in time.
    case timedOut(after: Duration)
    /// The file could not be written.
    case failed(reason: String)
    /// The caller was cancelled.
    case cancelled
}

/// What a turn leaves behind for the system of record.
package enum SpooledWrite: Sendable {
    /// The message with its decision and its alerts.
    case recorded(RecordedTurn)
    /// The reply, the trace and the jobs.
    case committed(CommittedTurn)

    /// The turn that left it.
    package var turn: Turn {
        switch self {
        case .recorded(let recorded): recorded.turn
        case .committed(let committed): committed.turn
        }
    }
}

/// Keeps on this machine's disk what could not be written to the system of record, until it can be.
package protocol TurnSpool: Sendable {
    /// Keeps a write; it is on the disk when this returns, and reaches the system of record in the order in which it was kept.
    func keep(_ write: SpooledWrite, by deadline: Deadline) async throws(SpoolError)

    /// What is kept of a turn that was sent before under the same key; nil when nothing is.
    ///
    /// Answered from memory, within a microsecond.
    func earlier(_ turn: Turn) -> EarlierAnswer?
}

/// Takes alerts to people while the system of record, whose outbox does that otherwise, cannot be written.
///
/// The same alerts come again through the outbox when what is in the spool has been written: an alert's identity tells
/// whether somebody has been told already.
package protocol SpooledAlertDelivery: Sendable {
    /// Hands over alerts that are durable in the spool; returns at once, and delivery goes on by itself.
    ///
    /// - Parameter contacts: Who may be told, as far as it is remembered; empty when nothing is.
    func deliver(_ alerts: [Alert], of turn: Turn, to contacts: [Contact])
}
