package import HTTPServing
package import Runtime

/// The table of all routes of the service.
///
/// The router, the validation of requests and the published document are made from it.
package struct Routes: Sendable {
    /// Version of the interface, as published in the document.
    package static let version = "1"

    /// The routes, in the document's order.
    package let all: [Route]
    private let publication: DocumentEndpoint
    private let reception: Reception
    private let table: Router

    package init(_ parts: APIParts) {
        let turns = TurnEndpoint(parts: parts)
        let contacts = ContactEndpoint(parts: parts)
        let links = AlertLinkEndpoint(parts: parts)
        let callbacks = TextCallbackEndpoint(parts: parts)
        let described = [
            Route(.post, "/api/v1/conversations/patient", PatientMessageEndpoint(turns: turns).operation),
            Route(
                .post,
                "/api/v1/conversations/patient/stream",
                PatientStreamEndpoint(turns: turns).operation
            ),
            Route(.get, "/api/v1/conversations", ConversationListEndpoint(parts: parts).operation),
            Route(.post, "/api/v1/conversations/sync", MessageSyncEndpoint(parts: parts).operation),
            Route(.get, "/api/v1/patients/{id}/profile", ProfileEndpoint(parts: parts).operation),
            Route(.get, "/api/v1/patients/{id}/schedule/today", ScheduleEndpoint(parts: parts).operation),

            Route(.post, "/api/v1/mobile/emergency", EmergencyEndpoint(parts: parts).operation),
            Route(.post, "/api/v1/mobile/heartbeat", HeartbeatEndpoint(parts: parts).operation),

            Route(.post, "/functions/v1/ask", AskEndpoint(turns: turns).operation),
            Route(.post, "/functions/v1/events/fall", FallEventEndpoint(parts: parts).operation),
            Route(.post, "/functions/v1/alerts/dispatch", AlertDispatchEndpoint(parts: parts).operation),
            Route(.post, "/functions/v1/contacts", contacts.storing),
            Route(.get, "/functions/v1/contacts", contacts.listing),
            Route(.delete, "/functions/v1/contacts", contacts.removing),

            Route(.get, "/v1/models", ModelListEndpoint(parts).operation),
            Route(.get, "/v1/models/{model}", ModelListEndpoint(parts).one),
            Route(.post, "/v1/chat/completions", ChatCompletionEndpoint(turns: turns).operation),

            Route(.get, "/a/{token}", links.looking),
            Route(.post, "/a/{token}", links.answering),
            Route(.post, "/callbacks/twilio/status/{token}", callbacks.status),
            Route(.post, "/callbacks/twilio/message", callbacks.message),

            Route(.get, "/healthz", HealthEndpoint().operation),
            Route(.get, "/readyz", ReadinessEndpoint(readiness: parts.readiness).operation),
            Route(.get, "/metrics", MetricsEndpoint(metrics: parts.metrics).operation),
        ]
        publication = DocumentEndpoint(describing: described)
        all = described + [Route(.get, DocumentEndpoint.path, publication.operation)]
        let reception = Reception(parts)
        self.reception = reception
        var table = Router()
        for route in all {
            table.add(route.method, route.path, bodyLimit: route.operation.body?.maximumBytes) { request in
                await reception.answer(request, on: route)
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
    package func refuse(_ failure: HTTPFailure, _ request: FailedRequest) -> HTTPResponse {
        guard failure == .unknownMethod, case .methodNotAllowed(let allowed) = table.match(.options, request.path)
        else {
            return reception.refuse(failure, request)
        }
        return reception.refuse(.methodNotAllowed(allowed: allowed), request)
    }
}
