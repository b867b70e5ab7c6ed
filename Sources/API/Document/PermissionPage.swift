import Domain
import HTTPServing

/// Writes the page that says which scope each route needs, from the routes themselves.
struct PermissionPage {
    private static let introduction = """
        # Permissions of service keys

        This page is made from the routes (`HEARTH_GOLDEN=write make test ARGS='--filter PermissionTests'`). A test asks every route with
        every scope, and with the key of another tenant.

        A key acts for one tenant and has scopes. A route whose scope the key lacks answers 403 with `scope_forbidden`. Another tenant's
        patients, alerts and keys do not exist for it: 404.
        """

    let routes: [Route]

    /// The page as Markdown.
    var text: String {
        let scopes = KeyScope.allCases.map { "| `\($0.rawValue)` | \($0.note) |" }
        let needs = KeyScope.allCases.flatMap { scope in lines { $0.scope == scope } }
        return [
            Self.introduction, table("scope | a key with it may", scopes), "## Routes",
            table("scope | route | what it does", needs + lines { $0.needsKey && $0.scope == nil }),
            "## Open to anybody who reaches the port", table("scope | route | what it does", lines { !$0.needsKey }),
        ]
        .joined(separator: "\n\n") + "\n"
    }

    private func lines(where isWanted: (Operation) -> Bool) -> [String] {
        routes.filter { isWanted($0.operation) }.map { route in
            let scope =
                route.operation.scope.map { "`\($0.rawValue)`" } ?? (route.operation.needsKey ? "any key" : "none")
            return "| \(scope) | `\(route.method.rawValue) \(route.path)` | \(route.operation.summary) |"
        }
    }

    private func table(_ head: String, _ lines: [String]) -> String {
        let rule = head.split(separator: "|").map { _ in "---" }.joined(separator: " | ")
        return (["| \(head) |", "| \(rule) |"] + lines).joined(separator: "\n")
    }
}
