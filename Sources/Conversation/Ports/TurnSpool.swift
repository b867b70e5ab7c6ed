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
    /// An alert that a model's answer has raised after its message was decided.
    case raised(Alert, of: Turn)
    /// How far people have been told of one of its alerts, as long as the message itself waits.
    case told(AlertCase, of: Turn)

    /// The turn that left it.
    package var turn: Turn {
        switch self {
        case .recorded(let recorded): recorded.turn
        case .committed(let committed): committed.turn
        case .told(_, let turn), .raised(_, let turn): turn
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
