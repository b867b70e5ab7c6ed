import Cryptography
import Domain
import Foundation
import Runtime

/// The service keys of a tenant.
extension AccountsPage {
    private static let keys = ConsolePath("accounts", "keys")
    private static let nameLength = 1...200

    var keyRoutes: [ConsoleRoute] {
        routes(ofSecret: "key", show: showKeys, make: makeKey, ending: "revoke", action: "key_revoke") {
            call async throws(ConsoleError) in
            let id: ServiceKeyID = try call.id("key")
            let audit = AuditEntry(actor: call.actor, action: "key_revoked", details: ["key": id.description])
            let wasValid = try await fromRecords { () throws(RecordsError) in
                try await records.revoke(id, tenant: call.tenant, audit: audit, by: call.deadline)
            }
            guard wasValid else { throw .notFound }
            return .redirect(Self.keys, notice: "The key is revoked, within five seconds everywhere.")
        }
    }

    private func makeKey(_ call: ConsoleRequestContext) async throws(ConsoleError) -> String {
        let name = Self.line(call.form["name"])
        guard Self.nameLength.contains(name.unicodeScalars.count) else { throw .conflict("Enter a name.") }
        let scopes = Set(call.form.all("scope").compactMap(KeyScope.init))
        guard !scopes.isEmpty, scopes.count == call.form.all("scope").count else {
            throw .conflict("Choose the key's scopes.")
        }
        let secret = "hearth_" + RandomToken.text()
        let key = ServiceKey(tenant: call.tenant, name: name, scopes: scopes, createdAt: call.date)
        let audit = AuditEntry(
            actor: call.actor,
            action: "key_created",
            details: ["key": key.id.description, "scopes": scopes.sorted().map(\.rawValue).joined(separator: " ")]
        )
        let isMade = try await fromRecords { () throws(RecordsError) in
            try await records.add(key, digest: Digest.sha256(secret).hex, audit: audit, by: call.deadline)
        }
        guard isMade else { throw .conflict("The key was not made. Try again.") }
        return secret
    }

    private func showKeys(_ call: ConsoleRequestContext, made: String?) async throws(ConsoleError) -> ConsoleResponse {
        let keys = try await fromRecords { () throws(RecordsError) in
            try await records.keys(of: call.tenant, by: call.deadline)
        }
        return .page(title: "Service keys", KeysView(keys: keys, made: made, call: call).html)
    }
}

/// The keys, and the form that makes one.
struct KeysView: Sendable {
    let keys: [ServiceKey]
    /// The secret of the key that was made now, which is shown this once.
    let made: String?
    let call: ConsoleRequestContext

    var html: HTML { SecretsView(tab: "keys", made: made, list: list, summary: "New key", form: form).html }

    private var list: HTML {
        var table = Table("Service keys", columns: ["Name", "May", "Made", "Last used", "State"])
        for key in keys {
            let path = ConsolePath("accounts", "keys", key.id.description, "revoke")
            let state: HTML =
                key.revokedAt != nil
                ? Badge("revoked").html
                : key.isExpired(at: call.date)
                    ? Badge("expired").html
                    : call.form(to: path, "<button type=\"submit\" class=\"plain small\">Revoke</button>")
            table.add(
                "<bdi>\(key.name)</bdi>",
                "<code>\(key.scopes.sorted().map(\.rawValue).joined(separator: " "))</code>",
                Figure.time(key.createdAt),
                key.lastUsedAt.map(Figure.time) ?? "<span class=\"quiet\">never</span>",
                state
            )
        }
        return table.html(ifEmpty: "There are no keys yet.")
    }

    private var form: HTML {
        let boxes = KeyScope.allCases.map { scope in
            let mark: HTML = KeyScope.everyday.contains(scope) ? " checked" : ""
            return """
                <div><label><input type="checkbox" name="scope" value="\(scope.rawValue)"\(mark)> \
                <code>\(scope.rawValue)</code></label></div>
                """ as HTML
        }
        return call.form(
            to: ConsolePath("accounts", "keys"),
            """
            \(Field("name", "Name", isRequired: true, mostCharacters: 200).html)<fieldset><legend>May</legend>\(boxes)</fieldset>\
            <button type="submit">Make the key</button>
            """
        )
    }
}
