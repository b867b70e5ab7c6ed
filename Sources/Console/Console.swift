package import Domain
package import HTTPServing
package import Runtime

/// The operators' console: pages at `/console` that are rendered on the server and work without scripts.
///
/// Pages are passed in. ``ConsoleRequestHandler`` does what all pages share: sessions, roles, form tokens, the audit
/// trail, header fields and the layout.
package struct Console: Sendable {
    private let pages: [any ConsolePage]
    private let requestHandler: ConsoleRequestHandler

    /// Creates a console with its pages in the order of the navigation; needs at least one page.
    package init(_ parts: ConsoleDependencies, pages: [any ConsolePage]) {
        self.pages = pages
        requestHandler = ConsoleRequestHandler(parts, pages: pages)
    }

    /// Registers the console's routes.
    package func add(to router: inout Router) {
        let requestHandler = requestHandler
        let sign = SignInRoutes(requestHandler)
        router.add(.get, "/console") { _ in requestHandler.redirect(to: requestHandler.home) }
        router.add(.get, "/console/assets/{name}") { request in
            AssetFiles.named(request.parameters["name"] ?? "")?.response(to: request)
                ?? requestHandler.bare(ConsoleError.notFound)
        }
        router.add(.get, "/console/language/{language}") { request in requestHandler.keepLanguage(request) }
        router.add(.get, SignInPage.path.description) { request in
            await ConsoleLanguage.$current.withValue(ConsoleLanguage(request.headers)) { await sign.show(request) }
        }
        router.add(.post, SignInPage.path.description, bodyLimit: 4 << 10) { request in
            await ConsoleLanguage.$current.withValue(ConsoleLanguage(request.headers)) { await sign.signIn(request) }
        }
        router.add(.post, SignInRoutes.out.description, bodyLimit: 4 << 10) { request in await sign.signOut(request) }
        for page in pages {
            for route in page.routes {
                router.add(route.method, "/console" + route.pattern, bodyLimit: route.bodyLimit) { request in
                    await requestHandler.answer(request, on: route, of: page)
                }
            }
        }
    }

    /// True if a path belongs to the console.
    ///
    /// Used for requests that the server itself refuses.
    package static func isAt(_ path: String) -> Bool { path == "/console" || path.hasPrefix("/console/") }

    /// Renders a page for a request that the server itself refuses.
    package func refuse(_ failure: HTTPFailure, _ request: RejectedRequest) -> HTTPResponse {
        ConsoleLanguage.$current.withValue(ConsoleLanguage(request.headers)) { requestHandler.bare(failure) }
    }
}

/// Dependencies of the console that are not pages.
package struct ConsoleDependencies: Sendable {
    /// The operators, their sessions and the audit trail.
    package let operators: any OperatorRecords
    /// Proves who users are; nil to let only holders of keys sign in.
    package let users: (any UserProving)?
    /// Counts the waiting incidents for the head of every page; nil to show no count.
    package let incidents: (any IncidentBoard)?
    /// Limits on the duration of a session.
    package let rules: SessionLimits
    /// Address of the proxy in front, whose `X-Forwarded-For` is trusted; nil if there is none.
    package let proxy: String?
    /// Registry for the console's metrics.
    package let metrics: Metrics
    /// Destination of log lines.
    package let log: Log
    /// Clock of the console.
    package let time: any TimeSource

    package init(
        operators: any OperatorRecords,
        users: (any UserProving)? = nil,
        incidents: (any IncidentBoard)? = nil,
        rules: SessionLimits = SessionLimits(),
        proxy: String? = nil,
        metrics: Metrics,
        log: Log,
        time: any TimeSource = SystemTime()
    ) {
        self.operators = operators
        self.users = users
        self.incidents = incidents
        self.rules = rules
        self.proxy = proxy
        self.metrics = metrics
        self.log = log
        self.time = time
    }
}
