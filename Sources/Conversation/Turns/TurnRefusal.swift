/// Why a turn is not answered; everything else is answered, degraded if need be.
package enum TurnRefusal: Error, Equatable {
    /// The tenant has no such patient.
    case unknownPatient(PatientID)
    /// The idempotency key was used before for another body.
    case keyReused(String)
    /// The same turn is being answered by another replica.
    case inProgress(String)
    /// There is no room for the turn now; it tells of no danger.
    case overloaded
    /// The patient or the caller asks too often; the turn tells of no danger.
    case tooOften(retryAfter: Duration)
    /// The caller went away before the turn was recorded.
    case cancelled
}
