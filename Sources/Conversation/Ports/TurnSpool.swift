package import Foundation
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

/// What a turn, an alarm or a fall leaves behind for the system of record.
package enum SpooledWrite: Sendable {
    /// The message with its decision and its alerts.
    case recorded(RecordedTurn)
    /// The reply, the trace and the jobs.
    case committed(CommittedTurn)
    /// An alert that a model's answer has raised after its message was decided.
    case raised(Alert, of: Turn)
    /// An alarm that no message decided, with the people who are told of it.
    case alarm(RaisedAlert, as: AlertCase)
    /// What a device said of a fall; with the alert of the fall that it begins, if it begins one.
    case fell(FallEvent, as: AlertCase?)
    /// How far people have been told of an alert, as long as what it came with waits.
    case told(AlertCase)

    /// Whose customer the patient is.
    package var tenant: TenantID {
        switch self {
        case .recorded(let recorded): recorded.turn.tenant
        case .committed(let committed): committed.turn.tenant
        case .raised(_, let turn): turn.tenant
        case .alarm(let raised, _): raised.tenant
        case .fell(let event, _): event.tenant
        case .told(let alertCase): alertCase.patient.tenant
        }
    }

    /// About whom.
    package var patient: PatientID {
        switch self {
        case .recorded(let recorded): recorded.turn.patient
        case .committed(let committed): committed.turn.patient
        case .raised(_, let turn): turn.patient
        case .alarm(let raised, _): raised.patient
        case .fell(let event, _): event.patient
        case .told(let alertCase): alertCase.patient.id
        }
    }

    /// The turn that left it; nil when none did.
    package var turn: Turn? {
        switch self {
        case .recorded(let recorded): recorded.turn
        case .committed(let committed): committed.turn
        case .raised(_, let turn): turn
        case .alarm, .fell, .told: nil
        }
    }

    /// Which message, alert or event it is of, for the log.
    package var subject: String {
        switch self {
        case .recorded(let recorded): "message \(recorded.turn.id)"
        case .committed(let committed): "message \(committed.turn.id)"
        case .raised(let alert, _): "alert \(alert.id)"
        case .alarm(let raised, _): "alert \(raised.alert.id)"
        case .fell(let event, _): "fall event \(event.id)"
        case .told(let alertCase): "alert \(alertCase.alert.id)"
        }
    }
}

/// What is kept of an alarm or a fall's event that came before under the same key.
package struct EarlierRequest: Sendable, Equatable {
    /// Its identity.
    package let id: UUID
    /// What its caller said, in short.
    package let fingerprint: String

    /// Makes an earlier request.
    package init(id: UUID, fingerprint: String) {
        self.id = id
        self.fingerprint = fingerprint
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

    /// What is kept of an alert that was raised before under the same key; nil when nothing is.
    func earlier(_ raised: RaisedAlert) -> EarlierRequest?

    /// What is kept of an event that was taken before under the same key; nil when nothing is.
    func earlier(_ event: FallEvent) -> EarlierRequest?
}
