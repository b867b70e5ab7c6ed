package import Domain
import Foundation
import Runtime

/// Stores what the pages of accounts show and change.
package typealias AccountRecords = UserRecords & DeviceRecords & ServiceKeyRecords & WebhookRecords & AuditTrail
    & PatientDirectory & FactorRecords

/// The people and programs with access to a tenant, for its administrators: users, devices, links, keys, webhooks,
/// audit trail.
package struct AccountsPage: ConsolePage {
    package let title: String? = "Access"
    package let place = "accounts"

    static let list = ConsolePath("accounts")
    static let pageSize = 50

    let records: any AccountRecords
    let proofs: any UserProving
    let webhooks: WebhookCreation

    /// Creates the page.
    ///
    /// - Parameters:
    ///   - proofs: Hashes passwords.
    ///   - webhooks: Checks the addresses of webhooks and gives their secrets.
    package init(_ records: any AccountRecords, proofs: any UserProving, webhooks: WebhookCreation) {
        self.records = records
        self.proofs = proofs
        self.webhooks = webhooks
    }

    package var routes: [ConsoleRoute] {
        [.get("/accounts", .admin, action: "accounts_look") { call async throws(ConsoleError) in try await list(call) }]
            + userRoutes + patientRoutes + keyRoutes + webhookRoutes + auditRoutes
    }

    /// A line that somebody typed, without control characters.
    static func line(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.filter {
                    !$0.properties.isNoncharacterCodePoint && $0.value >= 32 && $0.value != 127
                }
            )
        )
    }

    /// The links between the lists.
    static func tabs(_ current: String) -> HTML {
        let all = [("", "Users"), ("keys", "Service keys"), ("webhooks", "Webhooks"), ("audit", "Audit trail")]
        let links = all.map { place, name in
            let path = place.isEmpty ? list : ConsolePath("accounts", place)
            let mark: HTML = place == current ? " aria-current=\"page\"" : ""
            return "<a class=\"button plain small\" href=\"\(path)\"\(mark)>\(Wording.say(name))</a>" as HTML
        }
        return "<div class=\"buttons toolbar\">\(links)</div>"
    }

    private func list(_ call: ConsoleRequestContext) async throws(ConsoleError) -> ConsoleResponse {
        let page = try await fromRecords { () throws(RecordsError) in
            try await records.users(
                of: call.tenant,
                after: call.query("after").flatMap { PageCursor($0) },
                limit: Self.pageSize,
                by: call.deadline
            )
        }
        return .page(title: "Access", AccountsView(page: page, call: call).html, scripts: [.passwords])
    }
}

/// The rules and secrets of webhooks.
package struct WebhookCreation: Sendable {
    /// The largest number of webhooks of a tenant.
    let limit: Int
    /// The reason for which an address is refused; nil for a good one.
    let demand: @Sendable (String) -> String?
    /// The text of a webhook's secret.
    let secret: @Sendable (WebhookSecretID, WebhookID) -> String

    package init(
        limit: Int,
        demand: @escaping @Sendable (String) -> String?,
        secret: @escaping @Sendable (WebhookSecretID, WebhookID) -> String
    ) {
        self.limit = limit
        self.demand = demand
        self.secret = secret
    }
}

/// The list of users, and the form that makes one.
struct AccountsView: Sendable {
    let page: Page<User>
    let call: ConsoleRequestContext

    var html: HTML { "\(AccountsPage.tabs(""))\(list)\(more)\(form)" }

    private var list: HTML {
        var table = Table(
            "Users",
            columns: ["Name", "Mail address", "Role", "Second factor", "Last sign-in"],
            isTitled: true
        )
        for user in page.items {
            let closed: HTML = user.isActive ? "" : " \(Badge("locked", .warning).html)"
            table.add(
                "<a href=\"\(AccountsPage.path(of: user.id))\"><bdi>\(user.name)</bdi></a>\(closed)",
                "<bdi>\(user.email)</bdi>",
                "\(Wording.say(user.role.rawValue))",
                user.factor == nil ? "<span class=\"quiet\">none</span>" : "<span>on</span>",
                user.signedInAt.map(Figure.time) ?? "<span class=\"quiet\">never</span>"
            )
        }
        return table.html(ifEmpty: "There are no users yet.")
    }

    private var more: HTML? {
        page.next.map { cursor in
            let path = ConsolePath("accounts", query: ["after": cursor.description])
            return "<p class=\"buttons\"><a class=\"button plain\" href=\"\(path)\">More users</a></p>"
        }
    }

    private var form: HTML {
        let roles = AccountsPage.roles(givenBy: call.operator).map { ($0.rawValue, $0.rawValue) }
        let fields: HTML = """
            \(Field("email", "Mail address", isRequired: true, mostCharacters: 254).html)\
            \(Field("name", "Name", isRequired: true, mostCharacters: 200).html)\
            \(Field("role", "Role", .choice(roles), value: UserRole.viewer.rawValue).html)\
            \(Field("password", "First password", .password(isNew: true, isJudged: true), hint: "12 to 128 characters, hard to guess. Without one, the user signs in by a link.", mostCharacters: 128).html)
            """
        let body = call.form(to: AccountsPage.list, "\(fields)<button type=\"submit\">Make the user</button>")
        return "<details class=\"keep\"><summary class=\"button plain\">New user</summary>\(body)</details>"
    }
}
