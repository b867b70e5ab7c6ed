package import HTTPServing
package import Runtime

/// Why a request is not answered as it asks: a fact with its numbers, never with a patient's words.
///
/// What a caller reads of it is made in one place, ``ErrorResponse``.
package enum Refusal: Error, Equatable {
    /// The request is wrong as HTTP, has no route, or finds the server full.
    case http(HTTPFailure)
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

    /// A callback does not show that it comes from the provider, or is about nothing that we sent.
    case callbackRefused
    /// A callback was taken before.
    case callbackReplayed

    /// The tenant has no such patient, or none was named.
    case unknownPatient(path: String)
    /// The patient has no such reminder in force.
    case unknownReminder(path: String)
    /// The patient has as many reminders as there may be.
    case tooManyReminders(limit: Int)
    /// The words of a reminder leave something open; the question asks for it.
    case unclearWords(path: String, question: String)
    /// The words ask for no reminder.
    case notAReminder(path: String)
    /// No model has this name.
    case unknownModel
    /// The idempotency key was used for another body.
    case keyReused
    /// The patient or the key has been used too often.
    case tooOften(retryAfter: Duration)
    /// The same message is being answered by another replica.
    case inProgress
    /// A batch ran out of time before this message.
    case notReached
    /// The caller went away.
    case cancelled
    /// The system of record cannot be asked now.
    case recordsAway
    /// The system of record has as much to do as it can hold.
    case overloaded
    /// Something broke that should not; the log says what.
    case failed
}
