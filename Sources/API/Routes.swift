package import HTTPServing
package import Runtime

/// The table of all routes of the service.
///
/// The router, the validation of requests and the published document are made from it.
package struct Routes: Sendable {
    /// Version of the interface, as published in the document.
    package static let version = OpenAPIDocument.version

    /// The routes, in the document's order.
    package let all: [Route]
    private let publication: DocumentEndpoint
    private let requestHandler: RequestHandler
    private let table: Router
    private let crossOrigin: CrossOrigin

    package init(_ parts: APIDependencies) {
        let described = Self.described(parts)
        publication = DocumentEndpoint(describing: described)
        all = described + [Route(.get, DocumentEndpoint.path, publication.operation)]
        let requestHandler = RequestHandler(parts)
        self.requestHandler = requestHandler
        let crossOrigin = parts.crossOrigin
        self.crossOrigin = crossOrigin
        var table = Router()
        for route in all {
            table.add(route.method, route.path, bodyLimit: route.operation.body?.maximumBytes) { request in
                var response = await requestHandler.answer(request, on: route)
                crossOrigin.mark(&response, for: request.headers)
                return response
            }
        }
        self.table = table
    }

    /// The OpenAPI document of the routes.
    package var document: JSONValue { publication.document }

    /// The router that matches requests to routes.
    package var router: Router { table }

    /// Answers requests that the server itself rejects, in the dialect of the path.
    ///
    /// An unsupported method gives 405 where the path has other methods, and 501 elsewhere.
    package func refuse(_ failure: HTTPFailure, _ request: RejectedRequest) -> HTTPResponse {
        if case .methodNotAllowed(let methods) = failure,
            let answer = crossOrigin.answer(to: request.headers, method: request.method, allowing: methods)
        {
            return answer
        }
        var response = refusal(failure, request)
        crossOrigin.mark(&response, for: request.headers)
        return response
    }

    private func refusal(_ failure: HTTPFailure, _ request: RejectedRequest) -> HTTPResponse {
        guard failure == .unknownMethod, case .methodNotAllowed(let allowed) = table.match(.options, request.path)
        else {
            return requestHandler.refuse(failure, request)
        }
        return requestHandler.refuse(.methodNotAllowed(allowed: allowed), request)
    }
}
