import Conversation
import Prompts

/// Lint findings and the preview of a draft.
struct CheckView: Sendable {
    let checked: CheckedEdit
    /// Path of the edited file.
    let path: String

    var html: HTML {
        "<section><h2>Lint</h2><div id=\"lint\">\(lint)</div></section>\(preview)"
    }

    private var lint: HTML {
        guard !checked.findings.isEmpty else { return "<p>\(Badge("clean", .good).html) Lint has nothing to say.</p>" }
        let items = checked.findings.map { finding in
            let tone: Badge.Tone = finding.severity == .error ? .danger : .warning
            let isHere = finding.place.file == path
            let place: HTML =
                isHere
                ? """
                <button type="button" class="plain line" data-line="\(finding.place.position.line)">line \
                \(finding.place.position.line), column \(finding.place.position.column)</button>
                """ : "<code>\(finding.place)</code>"
            return """
                <li>\(Badge(finding.severity.rawValue, tone).html) \(place) \(finding.message) \
                <span class="quiet">\(finding.rule.rawValue)</span></li>
                """ as HTML
        }
        let end: HTML = checked.isLoadable ? "" : "<p>A bundle with an error cannot be saved.</p>"
        return "<ul class=\"findings\">\(items)</ul>\(end)"
    }

    private var preview: HTML {
        guard let preview = checked.preview else { return "" }
        let messages = preview.messages.map { message in
            let history: HTML = message.isHistory ? " <span class=\"quiet\">earlier turn</span>" : ""
            return "<h3>\(message.role.rawValue)\(history)</h3><pre>\(message.text)</pre>" as HTML
        }
        return """
            <section><h2>Preview</h2><p class="quiet">The prompt \(preview.name) with invented values, as a model gets it.</p>\
            \(messages)</section>
            """
    }
}
