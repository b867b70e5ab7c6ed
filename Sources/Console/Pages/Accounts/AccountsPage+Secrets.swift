import Domain

/// Shows service keys and webhooks, whose secret is shown once when they are made.
extension AccountsPage {
    /// The routes of the list, of the form that makes one, and of the button that ends one.
    ///
    /// - Parameters:
    ///   - name: Name in addresses and in the audit trail.
    ///   - show: The list, with the secret of what was made now.
    ///   - make: Makes one and returns its secret.
    ///   - ending: The last word of the address that ends one.
    func routes(
        ofSecret name: String,
        show: @escaping @Sendable (ConsoleRequestContext, String?) async throws(ConsoleError) -> ConsoleResponse,
        make: @escaping @Sendable (ConsoleRequestContext) async throws(ConsoleError) -> String,
        ending: String,
        action: String,
        end: @escaping ConsoleRoute.Handler
    ) -> [ConsoleRoute] {
        let place = "/accounts/\(name)s"
        return [
            .get(place, .admin, action: "\(name)s_look") { call async throws(ConsoleError) in
                try await show(call, nil)
            },
            .post(place, .admin, action: "\(name)_make") { call async throws(ConsoleError) in
                try await show(call, try await make(call))
            },
            .post("\(place)/{\(name)}/\(ending)", .admin, action: action, end),
        ]
    }
}

/// A list with the secret of what was made now, which is shown this once, and the form that makes another.
struct SecretsView: Sendable {
    let tab: String
    let made: String?
    let list: HTML
    /// The button that opens the form.
    let summary: HTML
    let form: HTML

    var html: HTML {
        """
        \(AccountsPage.tabs(tab))\(OnceShown(made).html)\(list)\
        <details class="keep"><summary class="button plain">\(summary)</summary>\(form)</details>
        """
    }
}

/// A secret that is shown once, on the page after it was made.
struct OnceShown: Sendable {
    let secret: String?

    init(_ secret: String?) { self.secret = secret }

    var html: HTML? {
        secret.map { secret in
            "<p class=\"notice\" role=\"status\">Copy this secret now; it is not shown again: <code>\(secret)</code></p>"
                as HTML
        }
    }
}
