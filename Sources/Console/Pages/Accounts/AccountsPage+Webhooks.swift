import Domain
import Foundation
import Runtime

/// The webhooks of a tenant, to which alerts' events are posted.
extension AccountsPage {
    private static let hooks = ConsolePath("accounts", "webhooks")

    var webhookRoutes: [ConsoleRoute] {
        routes(ofSecret: "webhook", show: showWebhooks, make: makeWebhook, ending: "remove", action: "webhook_remove") {
            call async throws(ConsoleError) in
            let id: WebhookID = try call.id("webhook")
            let details = ["webhook": id.description]
            let audit = AuditEntry(actor: call.actor, action: "webhook_removed", details: details)
            let wasThere = try await fromRecords { () throws(RecordsError) in
                try await records.remove(id, of: call.tenant, audit: audit, by: call.deadline)
            }
            guard wasThere else { throw .notFound }
            return .redirect(Self.hooks, notice: "The webhook is removed.")
        }
    }

    private func makeWebhook(_ call: ConsoleRequestContext) async throws(ConsoleError) -> String {
        let url = call.form["url"]
        if let demand = webhooks.demand(url) { throw .conflict("The address \(demand).") }
        let name = Self.line(call.form["name"])
        guard name.unicodeScalars.count <= 200 else { throw .conflict("Enter a shorter name.") }
        let webhook = Webhook(
            tenant: call.tenant,
            url: url,
            name: name,
            events: Set(WebhookEvent.allCases),
            createdAt: call.date
        )
        let details = ["webhook": webhook.id.description]
        let audit = AuditEntry(actor: call.actor, action: "webhook_created", details: details)
        let addition = try await fromRecords { () throws(RecordsError) in
            try await records.add(webhook, limit: webhooks.limit, audit: audit, by: call.deadline)
        }
        guard addition == .added else { throw .conflict("There are too many webhooks. Remove one first.") }
        return webhooks.secret(webhook.secret, webhook.id)
    }

    private func showWebhooks(
        _ call: ConsoleRequestContext,
        made: String?
    ) async throws(ConsoleError) -> ConsoleResponse {
        let all = try await fromRecords { () throws(RecordsError) in
            try await records.webhooks(of: call.tenant, by: call.deadline)
        }
        return .page(title: "Webhooks", WebhooksView(webhooks: all, made: made, call: call).html)
    }
}

/// The webhooks, and the form that makes one.
struct WebhooksView: Sendable {
    let webhooks: [Webhook]
    /// The secret of the webhook that was made now, which is shown this once.
    let made: String?
    let call: ConsoleRequestContext

    var html: HTML { SecretsView(tab: "webhooks", made: made, list: list, summary: "New webhook", form: form).html }

    private var list: HTML {
        var table = Table("Webhooks", columns: ["Address", "Name", "Events", "Made", "Webhook"])
        for webhook in webhooks {
            let path = ConsolePath("accounts", "webhooks", webhook.id.description, "remove")
            table.add(
                "<bdi>\(webhook.url)</bdi>",
                "<bdi>\(webhook.name)</bdi>",
                "<code>\(webhook.events.sorted().map(\.rawValue).joined(separator: " "))</code>",
                Figure.time(webhook.createdAt),
                call.form(to: path, "<button type=\"submit\" class=\"plain small\">Remove the webhook</button>")
            )
        }
        return table.html(ifEmpty: "There are no webhooks yet.")
    }

    private var form: HTML {
        call.form(
            to: ConsolePath("accounts", "webhooks"),
            """
            \(Field("url", "Address", hint: "It gets every event of an alert, signed.", isRequired: true, mostCharacters: 2_048).html)\
            \(Field("name", "Name", mostCharacters: 200).html)<button type="submit">Make the webhook</button>
            """
        )
    }
}
