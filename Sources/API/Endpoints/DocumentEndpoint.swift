import HTTPServing

/// `GET /openapi.json`: the document that describes every route, this one too.
struct DocumentEndpoint: Sendable {
    static let path = "/openapi.json"

    /// The document.
    let document: JSONValue
    private let bytes: [UInt8]

    init(describing routes: [Route]) {
        document = OpenAPIDocument(routes: routes + [Route(.get, Self.path, Self.operation { _ in .json(.null) })]).json
        bytes = document.bytes
    }

    var operation: Operation {
        Self.operation { [bytes] _ in .json(bytes) }
    }

    private static func operation(_ answer: @escaping @Sendable (Call) -> Outcome) -> Operation {
        Operation(
            "readDocument",
            "Read this document",
            dialect: .operations,
            successes: [Operation.Success(.object().named("OpenAPIDocument"), note: "An OpenAPI 3.1 document.")],
            access: .open { call in answer(call) }
        )
    }
}
