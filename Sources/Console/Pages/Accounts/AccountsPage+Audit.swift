import Domain
import Foundation
import Runtime

/// The audit trail of a tenant, the latest first.
extension AccountsPage {
    var auditRoutes: [ConsoleRoute] {
        [
            .get("/accounts/audit", .admin, action: "audit_look") { call async throws(ConsoleError) in
                let action = String((call.query("action") ?? "").prefix(100))
                let page = try await fromRecords { () throws(RecordsError) in
                    try await records.trail(
                        of: call.tenant,
                        action: action.isEmpty ? nil : action,
                        after: call.query("after").flatMap { AuditCursor($0) },
                        limit: Self.pageSize,
                        by: call.deadline
                    )
                }
                let view = AuditView(items: page.items, next: page.next, action: action)
                return .page(title: "Audit trail", view.html)
            }
        ]
    }
}

/// Entries of the audit trail, narrowed to one action or not.
struct AuditView: Sendable {
    let items: [AuditRecord]
    let next: AuditCursor?
    let action: String

    var html: HTML { "\(AccountsPage.tabs("audit"))\(form)\(list)\(more)" }

    private var form: HTML {
        """
        <form method="get" action="\(ConsolePath("accounts", "audit"))" class="filters buttons" role="search">\
        \(Field("action", "Action", value: action, hint: "Such as user_signed_in.", mostCharacters: 100).html)\
        <button type="submit">Search</button></form>
        """
    }

    private var list: HTML {
        var table = Table("Audit trail", columns: ["When", "Who", "Action", "Details"], isTitled: true)
        for item in items {
            let details = item.details.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
            table.add(
                Figure.time(item.at),
                "<bdi>\(ActorName.text(of: item.actor))</bdi>",
                "<code>\(item.action)</code>",
                "<bdi>\(details.joined(separator: ", "))</bdi>"
            )
        }
        return table.html(ifEmpty: "There is no such entry.")
    }

    private var more: HTML? {
        next.map { cursor in
            let path = ConsolePath("accounts", "audit", query: ["action": action, "after": cursor.description])
            return "<p class=\"buttons\"><a class=\"button plain\" href=\"\(path)\">Earlier entries</a></p>"
        }
    }
}
