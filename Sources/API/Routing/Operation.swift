package import Conversation
package import HTTPServing
package import Runtime

/// What a route takes, does and answers: all that the document says of it and all that is checked for it.
package struct Operation: Sendable {
    /// Who may call it, and what it does.
    package enum Access: Sendable {
        /// Anybody who reaches the port.
        case open(@Sendable (Call) async throws(Refusal) -> Outcome)
        /// Anybody who reaches the port, and more for whoever shows a service key: told whether one did.
        case openMoreByKey(@Sendable (Call, Bool) async throws(Refusal) -> Outcome)
        /// Whoever shows a service key, with this scope if one is named; told the tenant.
        case key(scope: String?, @Sendable (Call, TenantID) async throws(Refusal) -> Outcome)
    }

    /// A JSON body that is asked for.
    package struct Body: Sendable {
        /// What it looks like.
        package let schema: Schema
        /// The most bytes that it may have.
        package let maximumBytes: Int
        /// One that is valid.
        package let example: JSONValue

        /// Makes a body.
        package init(_ schema: Schema, maximumBytes: Int = Operation.maximumBodyBytes, example: JSONValue) {
            self.schema = schema
            self.maximumBytes = maximumBytes
            self.example = example
        }
    }

    /// A way in which it answers when nothing is wrong.
    package struct Success: Sendable {
        /// The status.
        package let status: Int
        /// The media type.
        package let mediaType: String
        /// What it looks like.
        package let schema: Schema
        /// What each event's data looks like, when it is a stream of events.
        package let event: Schema?
        /// When it is given.
        package let note: String
        /// One such answer; nil for what is no JSON.
        package let example: JSONValue?

        /// Makes a way to answer.
        package init(
            status: Int = 200,
            mediaType: String = "application/json",
            _ schema: Schema,
            event: Schema? = nil,
            example: JSONValue? = nil,
            note: String
        ) {
            self.status = status
            self.mediaType = mediaType
            self.schema = schema
            self.event = event
            self.note = note
            self.example = example
        }
    }

    /// The most bytes of a body, unless an operation says otherwise.
    package static let maximumBodyBytes = 64 * 1024

    /// What the document calls it.
    package let name: String
    /// What it does, in a few words.
    package let summary: String
    /// What a caller must know besides.
    package let note: String
    /// Whose shapes it speaks.
    package let dialect: Dialect
    /// What stands beside the body, besides what every operation of its access takes.
    package let ownParameters: [Parameter]
    /// The body that it asks for; nil when it asks for none.
    package let body: Body?
    /// How it answers when nothing is wrong.
    package let successes: [Success]
    /// Why it may refuse, besides the reasons that every operation of its kind has.
    package let ownRefusals: [ErrorCode]
    /// Who may call it, and what it does.
    package let access: Access

    /// Makes an operation.
    package init(
        _ name: String,
        _ summary: String,
        note: String = "",
        dialect: Dialect,
        parameters: [Parameter] = [],
        body: Body? = nil,
        successes: [Success],
        refusals: [ErrorCode] = [],
        access: Access
    ) {
        self.name = name
        self.summary = summary
        self.note = note
        self.dialect = dialect
        self.ownParameters = parameters
        self.body = body
        self.successes = successes
        self.ownRefusals = refusals
        self.access = access
    }

    /// Whether a service key is asked for.
    package var needsKey: Bool {
        if case .key = access { true } else { false }
    }

    /// Whether a service key is looked at.
    package var takesKey: Bool {
        if case .open = access { false } else { true }
    }

    /// What stands beside the body and is held to its schema.
    var checkedParameters: [Parameter] { ownParameters + (needsKey ? [.tenant] : []) }

    /// Everything that stands beside the body.
    package var parameters: [Parameter] { checkedParameters + [.requestID, .traceparent] }

    /// Every reason for which it may refuse.
    package var refusals: [ErrorCode] {
        let server: [ErrorCode] = [
            .malformedRequest, .requestTimeout, .bodyTooLarge, .targetTooLong, .expectationFailed, .headersTooLarge,
            .internalError, .notImplemented, .overloaded, .versionNotSupported,
        ]
        let key: [ErrorCode] =
            needsKey
            ? [.authenticationRequired, .invalidKey, .tenantForbidden, .scopeForbidden, .recordsUnavailable] : []
        let body: [ErrorCode] =
            body == nil ? [] : [.malformedJSON, .invalidEncoding, .unsupportedMediaType, .missingField, .invalidField]
        let parameters: [ErrorCode] =
            (needsKey || !ownParameters.isEmpty ? [.invalidField] : [])
            + (ownParameters.contains(where: \.isRequired) ? [.missingField] : [])
        let all = Set(server + key + body + parameters + ownRefusals)
        return ErrorCode.allCases.filter(all.contains)
    }
}

/// What an operation answered, with what the log should say of it.
package struct Outcome: Sendable {
    /// The response.
    package var response: HTTPResponse
    /// Fields for the request's log line, without patient text.
    package var notes: [LogField]

    /// Makes an outcome.
    package init(_ response: HTTPResponse, notes: [LogField] = []) {
        self.response = response
        self.notes = notes
    }

    /// Answers with JSON.
    package static func json(_ value: JSONValue, status: Int = 200, notes: [LogField] = []) -> Outcome {
        json(value.bytes, status: status, notes: notes)
    }

    /// Answers with JSON that is written already.
    package static func json(_ bytes: [UInt8], status: Int = 200, notes: [LogField] = []) -> Outcome {
        let headers = HeaderFields(["Content-Type": "application/json"])
        return Outcome(HTTPResponse(status: status, headers: headers, body: .bytes(bytes)), notes: notes)
    }
}
