import Conversation
import Foundation
import Prompts

/// What is in force, what is tried beside it, and the drafts that wait.
struct PromptsView: Sendable {
    /// A stored bundle with who saved it and why, where that is known.
    struct Draft: Sendable {
        let bundle: StoredBundle
        let saved: AuditLine?
    }

    let inForce: ShelvedBundle
    let release: Release?
    let refusal: String?
    /// The posture in which the model answers, with the reason; nil where no model does.
    let posture: String?
    let trial: TrialView?
    let drafts: [Draft]
    let call: ConsoleCall

    var html: HTML {
        """
        \(refused)<div class="panels"><section class="panel"><h2>In force</h2>\(force)\(answers)</section>\(trial?.html)</div>
        <h2>Stored bundles</h2>\(stored)
        <h2>Files of the bundle in force</h2>\(BundleFilesView(bundle: inForce, call: call).html)
        """
    }

    private var answers: HTML {
        guard let posture else { return "" }
        return "<dl class=\"facts\"><dt>Posture</dt><dd>\(posture)</dd></dl>"
    }

    private var refused: HTML {
        guard let refusal else { return "" }
        return "<p class=\"problem\" role=\"alert\">What should be in force is not: \(refusal)</p>"
    }

    private var force: HTML {
        let link: HTML = "<a href=\"\(PromptsPage.path(of: inForce.digest))\"><code>\(inForce.version)</code></a>"
        let history: HTML = "<p><a href=\"\(ConsolePath("prompts", "history"))\">Every change, with who and why</a></p>"
        guard let release else {
            return "<p>The bundle \(link) of the folder. Nothing has been released here.</p>\(history)"
        }
        return """
            <dl class="facts"><dt>Bundle</dt><dd>\(link)</dd><dt>Since</dt><dd>\(Figure.time(release.at))</dd>\
            <dt>By</dt><dd>\(ActorName.text(of: release.actor)), \(ReleaseWords.action(release.action))</dd>\
            <dt>Why</dt><dd><bdi>\(release.reason)</bdi></dd></dl>\(history)\(rollback)
            """
    }

    private var rollback: HTML {
        guard call.may(.admin) else { return "" }
        let why = Field("why_rollback", "Why", isRequired: true)
        let form = call.form(
            to: ConsolePath("prompts", "rollback"),
            "\(why.html)<div class=\"buttons\"><button type=\"submit\" class=\"plain\">Go back</button></div>"
        )
        return "<h3>Go back to the bundle before</h3><p class=\"quiet\">A trial ends with it.</p>\(form)"
    }

    private var stored: HTML {
        var table = Table("Bundles that were stored last", columns: ["Bundle", "Stored", "By", "Why"])
        for draft in drafts {
            let isInForce = draft.bundle.digest == inForce.digest
            table.add(
                """
                <a href="\(PromptsPage.path(of: draft.bundle.digest))"><code>\(draft.bundle.digest.prefix(12))</code></a> \
                \(isInForce ? Badge("in force", .good).html : "")
                """,
                Figure.time(draft.bundle.storedAt),
                "\(draft.saved.map { ActorName.text(of: $0.actor) } ?? "")",
                "<bdi>\(draft.saved?.details["why"] ?? "")</bdi>"
            )
        }
        return table.html(ifEmpty: "No bundle has been stored. Open a file of the bundle in force and save a draft.")
    }
}
