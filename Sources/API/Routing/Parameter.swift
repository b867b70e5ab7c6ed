package import HTTPServing
package import Runtime

/// A request parameter: a path segment, a query item or a header field.
package struct Parameter: Sendable {
    /// Location of a parameter.
    package enum Place: String, Sendable { case path, query, header }

    /// Name of the parameter.
    package let name: String
    /// Location of the parameter.
    package let place: Place
    /// Schema of its value.
    package let schema: Schema
    /// True when the parameter is required.
    package let isRequired: Bool
    /// Description for the document.
    package let note: String
    /// Example for the document; nil when the schema is sufficient.
    package let example: JSONValue?

    package init(
        _ name: String,
        in place: Place,
        _ schema: Schema,
        isRequired: Bool = false,
        example: JSONValue? = nil,
        note: String
    ) {
        self.name = name
        self.place = place
        self.schema = schema
        self.isRequired = isRequired
        self.note = note
        self.example = example
    }

    /// Reads and validates the value in a request; nil when it is missing.
    ///
    /// - Throws: ``Refusal/invalid(_:)`` with the parameter's name when the value is invalid or given twice.
    package func value(in request: HTTPRequest) throws(Refusal) -> String? {
        let values = values(in: request)
        guard let value = values.first else {
            if isRequired { throw .invalid(.missing(path: name)) }
            return nil
        }
        guard values.count == 1 else { throw .invalid(.outOfRule(path: name, demand: "must be given once")) }
        do {
            try schema.check(json(value), at: name)
        } catch {
            throw .invalid(error)
        }
        return value
    }

    private func values(in request: HTTPRequest) -> [String] {
        switch place {
        case .path: request.parameters[name].map { [$0] } ?? []
        case .query: request.query.filter { $0.name == name }.map(\.value)
        case .header: request.headers.values(name)
        }
    }

    /// Converts the text to the kind of value that the schema declares; only digits make a number.
    private func json(_ value: String) -> JSONValue {
        guard case .integer = schema.shape, (1...18).contains(value.utf8.count), value.utf8.allSatisfy(\.isDigit) else {
            return .string(value)
        }
        return .number(value)
    }
}

extension Parameter {
    /// Tenant on whose behalf the caller acts.
    static let tenant = Parameter(
        "X-Tenant-ID",
        in: .header,
        .string(.uuid),
        note: "The tenant to act for; it must be one that the key may act for. Without it, the key's own."
    )
    /// Caller's identity for the request.
    static let requestID = Parameter(
        "X-Request-Id",
        in: .header,
        .string(),
        note: "The caller's name for the request, returned and logged. Taken when it is 1 to 128 visible ASCII "
            + "characters; another is made otherwise."
    )
    /// Caller's position in a distributed trace.
    static let traceparent = Parameter(
        "traceparent",
        in: .header,
        .string(),
        note: "W3C Trace Context. Taken when it is valid, made otherwise; the answer names our span in the same trace."
    )
    /// Smaller time budget for this request.
    static let deadline = Parameter(
        "X-Deadline-Ms",
        in: .header,
        .string(),
        note: "Milliseconds from the request's arrival by which it must be answered: a whole number from 1. Lowers the "
            + "configured budget, never raises it; what is no such number is not taken."
    )
    /// Key for exactly-once processing.
    static let idempotencyKey = Parameter(
        "Idempotency-Key",
        in: .header,
        .string(.visibleASCII(1...255)),
        note:
            "Names the request for exactly-once treatment: the same key with the same body gets the stored answer and "
            + "`Idempotent-Replayed: true`; with another body it is refused with 409. Goes before a `message_id` in the body. Without either, the same "
            + "body within a minute is the same request; what may be said twice in a minute needs a key or a timestamp."
    )
}
