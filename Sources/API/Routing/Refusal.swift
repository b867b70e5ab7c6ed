package import HTTPServing

/// Why a request is not answered as it asks: a fact with its numbers, never with a patient's words.
///
/// What a caller reads of it is made in one place, ``ErrorResponse``.
package enum Refusal: Error, Equatable {
    /// The request breaks HTTP itself; the reason is the server's.
    case malformedRequest(reason: String)
    /// The request did not arrive whole in time.
    case arrivedTooSlowly
    /// No route has this path.
    case unknownRoute
    /// The path has other methods.
    case methodNotAllowed([HTTPMethod])
    /// The method is none that the service knows.
    case unknownMethod
    /// The request line is too long.
    case targetTooLong
    /// The header is too large.
    case headersTooLarge
    /// The body is too large.
    case bodyTooLarge(limit: Int)
    /// The body is not declared as JSON.
    case unsupportedMediaType

    /// The body is no JSON text.
    case malformedJSON(JSONFault)
    /// A value of the body or a parameter is not what is declared.
    case invalid(SchemaFault)
    /// A message has too many characters.
    case messageTooLong(path: String, characters: Int, limit: Int)
    /// A message is dated too far ahead of the service's clock.
    case inTheFuture(path: String, allowed: Duration)
    /// A message is dated too long ago.
    case tooOld(path: String, allowed: Duration)

    /// No key was shown, or something that cannot be one.
    case noKey
    /// The key is unknown or was revoked.
    case unknownKey
    /// The key acts for another tenant.
    case otherTenant
    /// The key may not do this.
    case missingScope(String)

    /// The tenant has no such patient, or none was named.
    case unknownPatient(path: String)
    /// No model has this name.
    case unknownModel
    /// The idempotency key was used for another body.
    case keyReused
    /// The same message is being answered by another replica.
    case inProgress
    /// A batch ran out of time before this message.
    case notReached
    /// The caller went away.
    case cancelled
    /// The system of record cannot be asked now.
    case recordsAway
    /// The service has as much to do as it can hold.
    case overloaded
    /// Something broke that should not; the log says what.
    case failed
}
