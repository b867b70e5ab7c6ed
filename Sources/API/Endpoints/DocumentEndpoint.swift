import HTTPServing
import Runtime
import Synchronization

/// `GET /openapi.json`: the OpenAPI document of every route, including this one.
///
/// The document is built on first request and cached.
final class DocumentEndpoint: Sendable {
    static let path = "/openapi.json"

    private let routes: [Route]
    private let made = Mutex<[UInt8]?>(nil)

    init(describing routes: [Route]) {
        self.routes = routes + [Route(.get, Self.path, Self.operation { _ in .json(.null) })]
    }

    /// The OpenAPI document.
    var document: JSONValue { OpenAPIDocument(routes: routes).json }

    var operation: Operation {
        Self.operation { _ in .json(self.bytes) }
    }

    private var bytes: [UInt8] {
        made.withLock { made in
            let bytes = made ?? document.bytes
            made = bytes
            return bytes
        }
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
