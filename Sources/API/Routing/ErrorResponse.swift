package import Domain
import Foundation
import HTTPServing
package import Runtime

/// Stable error codes of the public contract: a code never changes its meaning or status.
package enum ErrorCode: String, Sendable, CaseIterable {
    case malformedRequest = "malformed_request"
    case malformedJSON = "malformed_json"
    case invalidEncoding = "invalid_encoding"
    case authenticationRequired = "authentication_required"
    case invalidKey = "invalid_key"
    case invalidToken = "invalid_token"
    case invalidCredentials = "invalid_credentials"
    case invalidCode = "invalid_code"
    case userRequired = "user_required"
    case roleForbidden = "role_forbidden"
    case tenantForbidden = "tenant_forbidden"
    case scopeForbidden = "scope_forbidden"
    case callbackRefused = "callback_refused"
    case routeNotFound = "route_not_found"
    case patientNotFound = "patient_not_found"
    case reminderNotFound = "reminder_not_found"
    case deviceNotFound = "device_not_found"
    case alertNotFound = "alert_not_found"
    case conversationNotFound = "conversation_not_found"
    case contactNotFound = "contact_not_found"
    case keyNotFound = "key_not_found"
    case webhookNotFound = "webhook_not_found"
    case deliveryNotFound = "delivery_not_found"
    case userNotFound = "user_not_found"
    case sessionNotFound = "session_not_found"
    case tenantNotFound = "tenant_not_found"
    case tenantInUse = "tenant_in_use"
    case emailTaken = "email_taken"
    case patientClosed = "patient_closed"
    case alertEnded = "alert_ended"
    case keyRotated = "key_rotated"
    case webhookRotated = "webhook_rotated"
    case mfaNotSetUp = "mfa_not_set_up"
    case mfaOffered = "mfa_offered"
    case reauthenticationRequired = "reauthentication_required"
    case patientTaken = "patient_taken"
    case patientErased = "patient_erased"
    case modelNotFound = "model_not_found"
    case methodNotAllowed = "method_not_allowed"
    case requestTimeout = "request_timeout"
    case idempotencyKeyReused = "idempotency_key_reused"
    case turnInProgress = "turn_in_progress"
    case callbackReplayed = "callback_replayed"
    case tooManyReminders = "too_many_reminders"
    case tooManyWebhooks = "too_many_webhooks"
    case tooManyUserKeys = "too_many_user_keys"
    case preconditionFailed = "precondition_failed"
    case bodyTooLarge = "body_too_large"
    case messageTooLong = "message_too_long"
    case targetTooLong = "target_too_long"
    case unsupportedMediaType = "unsupported_media_type"
    case expectationFailed = "expectation_failed"
    case missingField = "missing_field"
    case invalidField = "invalid_field"
    case wordsUnclear = "words_unclear"
    case notAReminder = "not_a_reminder"
    case timestampInFuture = "timestamp_in_future"
    case timestampTooOld = "timestamp_too_old"
    case preconditionRequired = "precondition_required"
    case rateLimited = "rate_limited"
    case headersTooLarge = "headers_too_large"
    case clientClosed = "client_closed"
    case internalError = "internal_error"
    case notImplemented = "not_implemented"
    case versionNotSupported = "version_not_supported"
    case recordsUnavailable = "records_unavailable"
    case providerUnavailable = "provider_unavailable"
    case overloaded = "overloaded"
    case outcomeUnknown = "outcome_unknown"
    case notReached = "not_reached"
    case pushNotTaken = "push_not_taken"
    case audioNotFound = "audio_not_found"
    case audioNotReady = "audio_not_ready"
    case rangeNotSatisfiable = "range_not_satisfiable"

    /// HTTP status of the error.
    package var status: Int {
        switch self {
        case .malformedRequest, .malformedJSON, .invalidEncoding: 400
        case .authenticationRequired, .invalidKey, .invalidToken, .invalidCredentials, .invalidCode: 401
        case .tenantForbidden, .scopeForbidden, .callbackRefused, .userRequired, .roleForbidden,
            .reauthenticationRequired:
            403
        case .routeNotFound, .patientNotFound, .reminderNotFound, .deviceNotFound, .modelNotFound, .alertNotFound,
            .conversationNotFound, .keyNotFound, .webhookNotFound, .userNotFound, .sessionNotFound, .audioNotFound,
            .tenantNotFound,
            .contactNotFound, .deliveryNotFound:
            404
        case .methodNotAllowed: 405
        case .requestTimeout: 408
        case .idempotencyKeyReused, .turnInProgress, .callbackReplayed, .tooManyReminders, .tooManyWebhooks,
            .tooManyUserKeys,
            .patientClosed,
            .patientTaken,
            .alertEnded, .keyRotated, .webhookRotated, .mfaNotSetUp, .mfaOffered, .tenantInUse, .emailTaken:
            409
        case .patientErased: 410
        case .preconditionFailed: 412
        case .bodyTooLarge, .messageTooLong: 413
        case .targetTooLong: 414
        case .unsupportedMediaType: 415
        case .rangeNotSatisfiable: 416
        case .expectationFailed: 417
        case .missingField, .invalidField, .wordsUnclear, .notAReminder, .timestampInFuture, .timestampTooOld: 422
        case .preconditionRequired: 428
        case .rateLimited: 429
        case .headersTooLarge: 431
        case .clientClosed: 499
        case .internalError: 500
        case .notImplemented: 501
        case .recordsUnavailable, .providerUnavailable, .overloaded, .outcomeUnknown, .notReached, .pushNotTaken,
            .audioNotReady:
            503
        case .versionNotSupported: 505
        }
    }

    /// Time after which a retry may succeed; nil when a retry would fail again.
    package var retryAfter: Duration? {
        switch self {
        case .requestTimeout, .clientClosed, .notReached: .zero
        case .rateLimited, .turnInProgress, .recordsUnavailable, .overloaded, .internalError,
            .pushNotTaken:
            .seconds(1)
        case .audioNotReady: .seconds(2)
        case .providerUnavailable: KeySetCache.failurePause
        default: nil
        }
    }
}

/// Maps every error to a status, a stable code and a sentence; the only place that does.
///
/// The sentence says what to do next. It never contains a patient's words, a stack trace or SQL.
package struct ErrorResponse: Sendable, Equatable {
    /// Stable error code.
    package let code: ErrorCode
    /// Message for the reader, which says what to do next.
    package let message: String
    /// Path of the invalid field or parameter; nil when the error concerns none.
    package let field: String?
    /// Byte offset at which the body stops being valid JSON; nil for other errors.
    package let offset: Int?
    /// Time after which a retry may succeed; nil when a retry would fail again.
    package let retryAfter: Duration?
    /// The reminder that the words may mean; nil for other errors.
    let proposal: ProposedReminder?

    private init(
        _ code: ErrorCode,
        _ message: String,
        field: String? = nil,
        offset: Int? = nil,
        retryAfter: Duration? = nil,
        proposal: ProposedReminder? = nil
    ) {
        self.proposal = proposal
        self.code = code
        self.retryAfter = retryAfter ?? code.retryAfter
        self.message = message
        self.field = field.flatMap { $0.isEmpty ? nil : $0 }
        self.offset = offset
    }

    /// Maps an error to its response.
    package init(_ refusal: APIError) {
        switch refusal {
        case .http(let failure): self.init(failure)
        case .unsupportedMediaType:
            self.init(.unsupportedMediaType, "Send the body as application/json in UTF-8, uncompressed.")
        case .malformedJSON(let fault): self.init(fault)
        case .invalid(let fault):
            let code: ErrorCode = if case .missing = fault { .missingField } else { .invalidField }
            self.init(code, "\(fault.path.isEmpty ? "The body" : fault.path) \(fault.demand).", field: fault.path)
        case .messageTooLong(let path, let characters, let limit):
            let text = "\(path) has \(characters) characters and may have \(limit)."
            self.init(.messageTooLong, text, field: path)
        case .inTheFuture(let path, let allowed):
            let minutes = Int(allowed.seconds / 60)
            self.init(.timestampInFuture, "\(path) is more than \(minutes) minutes ahead of the service.", field: path)
        case .tooOld(let path, let allowed):
            let days = Int(allowed.seconds / 86_400)
            self.init(.timestampTooOld, "\(path) is more than \(days) days old.", field: path)
        case .noKey:
            self.init(.authenticationRequired, "Send a service key or an access token: Authorization: Bearer <key>.")
        case .unknownKey: self.init(.invalidKey, "The service key is unknown or was revoked.")
        case .unknownToken: self.init(.invalidToken, "The token is not valid any more. Renew it, or sign in again.")
        case .providerUnavailable(let delay):
            let text = "The keys of the identity provider cannot be read now. Try again later."
            self.init(.providerUnavailable, text, retryAfter: delay)
        case .notFresh:
            let text = "Send the user's password, or sign in again and repeat within five minutes."
            self.init(.reauthenticationRequired, text)
        case .factorOffered(let delay):
            self.init(.mfaOffered, "Another session is setting an app up. Finish there, or wait.", retryAfter: delay)
        case .notASuperadmin: self.init(.roleForbidden, "The route is for superadmins.")
        case .unknownTenant(let path): self.init(.tenantNotFound, "The installation has no such tenant.", field: path)
        case .ownTenant: self.init(.tenantInUse, "It is your own tenant. A superadmin of another one may close it.")
        case .tooManyUserKeys(let limit):
            self.init(.tooManyUserKeys, "A user may have \(limit) keys. Remove one first.")
        case .wrongCredentials: self.init(.invalidCredentials, "The mail address or the password is wrong.")
        case .wrongCode: self.init(.invalidCode, "The code is wrong or was used. Take the next one.")
        case .noFactor: self.init(.mfaNotSetUp, "No authenticator app is set up. Ask /auth/mfa/setup for one.")
        case .tooManySignIns(let delay):
            let text = "Too many attempts to sign in failed. Wait \(Int(delay.seconds.rounded(.up))) seconds."
            self.init(.rateLimited, text, retryAfter: delay)
        case .notAUser: self.init(.userRequired, "Sign in: this route is for users, not for keys.")
        case .notADevice: self.init(.userRequired, "This route is for the key of a device.")
        case .tenantWide:
            self.init(.roleForbidden, "This acts on the whole tenant, and you have access to some patients only.")
        case .unknownLink(let path): self.init(.userNotFound, "There is no such family member.", field: path)
        case .linksNotTheirs:
            self.init(.roleForbidden, "Only the patient and the tenant decide who has access to a patient.")
        case .roleNotGiven(let role): self.init(.roleForbidden, "You may not give the role \(role.rawValue).")
        case .emailTaken: self.init(.emailTaken, "Another user has this mail address.", field: "email")
        case .unknownUser(let path): self.init(.userNotFound, "The tenant has no such user.", field: path)
        case .unknownSession(let path): self.init(.sessionNotFound, "You have no such open session.", field: path)
        case .otherTenant:
            self.init(.tenantForbidden, "The caller acts for another tenant.", field: "X-Tenant-ID")
        case .missingScope(let scope): self.init(.scopeForbidden, "The caller lacks the scope \(scope.rawValue).")
        case .callbackRefused:
            self.init(
                .callbackRefused,
                "The callback is not signed by the provider, or concerns no message of this service."
            )
        case .callbackReplayed: self.init(.callbackReplayed, "This callback was already processed.")
        case .unknownPatient(let path): self.init(.patientNotFound, "The tenant has no such patient.", field: path)
        case .closedPatient(let path):
            self.init(.patientClosed, "The patient is closed. Reopen the patient first.", field: path)
        case .unknownAlert(let path): self.init(.alertNotFound, "The tenant has no such alert.", field: path)
        case .endedAlert: self.init(.alertEnded, "The alert has already ended. Read its outcome.")
        case .unknownContact(let path):
            self.init(.contactNotFound, "The patient has no such contact.", field: path)
        case .unknownConversation(let path):
            self.init(.conversationNotFound, "The patient has no such conversation.", field: path)
        case .unknownServiceKey(let path): self.init(.keyNotFound, "The tenant has no such valid key.", field: path)
        case .rotatedKey: self.init(.keyRotated, "The key has a successor already. Rotate that one.")
        case .unknownDelivery(let path):
            self.init(.deliveryNotFound, "The webhook has no such delivery any more.", field: path)
        case .unknownWebhook(let path): self.init(.webhookNotFound, "The tenant has no such webhook.", field: path)
        case .rotatedWebhook(let until):
            let text = "The secret before signs until \(RFC3339.text(until)). Wait, or send overlap_minutes: 0."
            self.init(.webhookRotated, text)
        case .tooManyWebhooks(let limit):
            self.init(.tooManyWebhooks, "A tenant may have \(limit) webhooks. Remove one first.")
        case .patientTaken:
            self.init(.patientTaken, "Another patient of other values has this patient_id or external_id.")
        case .erasedPatient: self.init(.patientErased, "This patient was erased. Take another patient_id and key.")
        case .noPrecondition:
            self.init(.preconditionRequired, "Send the ETag that you read: If-Match: <etag>.", field: "If-Match")
        case .stalePrecondition:
            self.init(.preconditionFailed, "It has changed since you read it. Read it again.", field: "If-Match")
        case .unknownReminder(let path):
            self.init(.reminderNotFound, "The patient has no such active reminder.", field: path)
        case .noDevice(let path):
            self.init(.deviceNotFound, "No telephone is registered. The patient's app must open once.", field: path)
        case .pushNotTaken:
            self.init(.pushNotTaken, "The provider of pushes has not taken the message. Try again in a second.")
        case .unknownAudio:
            self.init(.audioNotFound, "The link is not valid, or has expired. Speak the words on the device.")
        case .audioNotReady: self.init(.audioNotReady, "The sound is still being made. Ask again in two seconds.")
        case .rangeNotSatisfiable(let bytes):
            self.init(.rangeNotSatisfiable, "The sound has \(bytes) bytes, and the range lies beyond.", field: "Range")
        case .tooManyReminders(let limit):
            self.init(.tooManyReminders, "A patient may have \(limit) active reminders. End one first.")
        case .unclearWords(let path, let question, let proposal):
            self.init(.wordsUnclear, question, field: path, proposal: proposal)
        case .notAReminder(let path):
            self.init(.notAReminder, "The words ask for no reminder. Name the reminder and its time.", field: path)
        case .unknownModel:
            self.init(.modelNotFound, "No model has this name. GET /v1/models lists them.", field: "model")
        case .keyReused:
            self.init(.idempotencyKeyReused, "The idempotency key was used for another body. Take a new key.")
        case .rateLimitExceeded(let delay):
            let text = "Too many messages in a short time. Wait \(Int(delay.seconds.rounded(.up))) seconds."
            self.init(.rateLimited, text, retryAfter: delay)
        case .inProgress: self.init(.turnInProgress, "The same message is being answered. Ask again in a second.")
        case .notReached: self.init(.notReached, "The batch ran out of time before this message. Send it again.")
        case .cancelled: self.init(.clientClosed, "The caller disconnected before the message was recorded.")
        case .recordsUnreadable:
            self.init(.recordsUnavailable, "The records cannot be read now. Try again in a second.")
        case .passwordUnsettled:
            let text = "The password may have been changed. Sign in with the new one, or else the old one."
            self.init(.outcomeUnknown, text)
        case .overloaded: self.init(.overloaded, "The service is busy. Try again in a second.")
        case .failed: self.init(.internalError, "An internal error occurred. Try again in a second.")
        }
    }

    private init(_ failure: HTTPFailure) {
        switch failure {
        case .badRequestLine, .badTarget, .badField, .badHost, .badLength, .badChunk:
            self.init(.malformedRequest, "The request is not valid HTTP: \(failure.name).")
        case .notFound: self.init(.routeNotFound, "No route has this path. GET /openapi.json lists them.")
        case .methodNotAllowed(let methods):
            self.init(.methodNotAllowed, "This path answers \(methods.map(\.rawValue).joined(separator: ", ")).")
        case .tooSlow: self.init(.requestTimeout, "The request did not arrive in time. Send it again.")
        case .bodyTooLarge(let limit): self.init(.bodyTooLarge, "The body exceeds \(limit) bytes.")
        case .requestLineTooLong: self.init(.targetTooLong, "The request's address is too long.")
        case .headTooLarge: self.init(.headersTooLarge, "The request's header is too large.")
        case .unknownExpectation: self.init(.expectationFailed, "The only supported expectation is 100-continue.")
        case .unknownMethod, .unknownTransferCoding:
            self.init(.notImplemented, "The service does not know this method or transfer coding.")
        case .unknownVersion: self.init(.versionNotSupported, "Use HTTP/1.1.")
        case .tooManyConnections, .tooManyRequests:
            self.init(.overloaded, "The service is busy. Try again in a second.")
        }
    }

    private init(_ fault: JSONFault) {
        let code: ErrorCode = if case .invalidUTF8 = fault { .invalidEncoding } else { .malformedJSON }
        self.init(code, "The body is not valid JSON: \(fault.reason), at byte \(fault.offset).", offset: fault.offset)
    }

    /// Builds the body in the dialect's shape.
    package func body(in dialect: Dialect, requestID: String) -> JSONValue {
        switch dialect {
        case .elderCompanion, .operations: ["success": false, "error": details(requestID)]
        case .stratum:
            [
                "success": false, "message": .string(message), "errors": [details(requestID)],
                "error": details(requestID),
            ]
        case .milo: ["error": details(requestID)]
        case .openAI:
            [
                "error": [
                    "message": .string(message), "type": .string(openAIType), "param": .optional(field),
                    "code": .string(code.rawValue), "request_id": .string(requestID),
                ]
            ]
        }
    }

    /// Builds the error object without the dialect's wrapper.
    func details(_ requestID: String) -> JSONValue {
        .members([
            "code": .string(code.rawValue),
            "message": .string(message),
            "retryable": .bool(retryAfter != nil),
            "retry_after_ms": retryAfter.map { .integer(Int($0.milliseconds)) } ?? .null,
            "field": .optional(field),
            "offset": offset.map { .integer($0) },
            "proposal": proposal?.json,
            "request_id": .string(requestID),
        ])
    }

    /// Returns the header fields of the error.
    package func headers(_ refusal: APIError) -> [(String, String)] {
        var headers: [(String, String)] = []
        if case .http(.methodNotAllowed(let methods)) = refusal {
            headers.append(("Allow", methods.map(\.rawValue).joined(separator: ", ")))
        }
        if case .rangeNotSatisfiable(let bytes) = refusal { headers.append(("Content-Range", "bytes */\(bytes)")) }
        if code.status == 401 { headers.append(("WWW-Authenticate", "Bearer realm=\"hearth\"")) }
        if let delay = retryAfter, delay > .zero {
            headers.append(("Retry-After", String(Int(delay.seconds.rounded(.up)))))
        }
        return headers
    }

    private var openAIType: String {
        switch code.status {
        case 401: "authentication_error"
        case 403: "permission_error"
        case 429: "rate_limit_error"
        case 500...: "server_error"
        default: "invalid_request_error"
        }
    }
}

extension APIError {
    /// Maps a turn's error to an API error.
    ///
    /// - Parameter path: Path of the patient's identity in the body.
    package init(_ refusal: TurnError, patientAt path: String) {
        switch refusal {
        case .unknownPatient: self = .unknownPatient(path: path)
        case .closedPatient: self = .closedPatient(path: path)
        case .keyReused: self = .keyReused
        case .inProgress: self = .inProgress
        case .overloaded: self = .overloaded
        case .rateLimitExceeded(let delay): self = .rateLimitExceeded(retryAfter: delay)
        case .cancelled: self = .cancelled
        }
    }

    /// Maps a failure of the system of record to an API error.
    ///
    /// - Parameter path: Path of the patient's identity in the request.
    package init(_ error: RecordsError, patientAt path: String) {
        switch error {
        case .unknownPatient: self = .unknownPatient(path: path)
        case .closedPatient: self = .closedPatient(path: path)
        case .unavailable, .timedOut: self = .recordsUnreadable
        case .overloaded: self = .overloaded
        case .cancelled: self = .cancelled
        case .keyTaken: self = .keyReused
        case .refused, .unreadable: self = .failed
        }
    }
}
