package import HTTPServing
import Runtime

/// The operators' console: pages at `/console`, made on the server, which work without scripts.
///
/// Pages are given to it; what is the same for all of them is done in one place, ``ConsoleReception``: who is signed in,
/// what the role allows, forms that only our pages can send, the audit trail, header fields and the layout.
package struct Console: Sendable {
    private let pages: [any ConsolePage]
    private let reception: ConsoleReception

    /// Makes the console of its pages, in the order of the navigation; at least one.
    package init(_ parts: ConsoleParts, pages: [any ConsolePage]) {
        self.pages = pages
        reception = ConsoleReception(parts, pages: pages)
    }

    /// Adds the console's addresses to those that are served.
    package func add(to router: inout Router) {
        let reception = reception
        let sign = SignInRoutes(reception)
        router.add(.get, "/console") { _ in reception.redirect(to: reception.home) }
        router.add(.get, "/console/assets/{name}") { request in
            AssetFiles.named(request.parameters["name"] ?? "")?.response(to: request)
                ?? reception.bare(ConsoleRefusal.notFound)
        }
        router.add(.get, SignInPage.path.description) { request in await sign.show(request) }
        router.add(.post, SignInPage.path.description, bodyLimit: 4 << 10) { request in await sign.signIn(request) }
        router.add(.post, SignInRoutes.out.description, bodyLimit: 4 << 10) { request in await sign.signOut(request) }
        for page in pages {
            for route in page.routes {
                router.add(route.method, "/console" + route.pattern, bodyLimit: route.bodyLimit) { request in
                    await reception.answer(request, on: route, of: page)
                }
            }
        }
    }

    /// Whether a path is the console's, for what the server refuses itself.
    package static func isAt(_ path: String) -> Bool { path == "/console" || path.hasPrefix("/console/") }

    /// Answers what the server refuses itself, as a page.
    package func refuse(_ failure: HTTPFailure, _ request: FailedRequest) -> HTTPResponse {
        reception.bare(failure)
    }
}
