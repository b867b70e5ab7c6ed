/// A reason why a turn is not answered; every other turn is answered, degraded if necessary.
package enum TurnRefusal: Error, Equatable {
    /// The tenant does not have the patient.
    case unknownPatient(PatientID)
    /// The idempotency key was used for another body.
    case keyReused(String)
    /// Another replica is answering the same turn.
    case inProgress(String)
    /// There is no room for the turn, and it has no danger.
    case overloaded
    /// The patient or the caller asks too often, and the turn has no danger.
    case tooOften(retryAfter: Duration)
    /// The caller disconnected before the turn was recorded.
    case cancelled
}
