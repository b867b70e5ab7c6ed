import Conversation
import Prompts

/// Editor for a file of a bundle; plain text for roles that may not edit.
struct EditorView: Sendable {
    let bundle: ShelvedBundle
    let path: String
    let text: String
    /// Lint result; nil before the first check.
    var checked: CheckedEdit?
    var complaint = ""
    var reason = ""
    let call: ConsoleCall

    var html: HTML {
        let back: HTML = """
            <p>File <code>\(path)</code> of the bundle \
            <a href="\(PromptsPage.path(of: bundle.digest))"><code>\(bundle.version)</code></a></p>
            """
        guard call.may(.operator) else { return "\(back)<pre>\(text)</pre>" }
        let problem: HTML = complaint.isEmpty ? "" : "<p class=\"problem\" role=\"alert\">\(complaint)</p>"
        return """
            \(back)\(problem)<div class="editing">\(form)<div class="checked" id="checked" \
            data-source="\(PromptsPage.checkPath)">\(checked.map { CheckView(checked: $0, path: path).html })</div></div>
            <p class="unseen" id="said" role="status" aria-live="polite"></p>
            """
    }

    private var form: HTML {
        let editor = Field(
            "text",
            "Text",
            .text(rows: 26),
            value: text,
            hint: "Saving makes a new bundle; the one in force stays as it is.",
            mostCharacters: BundleEdit.mostBytes
        )
        let why = Field("reason", "Why", value: reason, hint: "Asked for when you save.")
        return call.form(
            to: ConsolePath("prompts", "drafts"),
            """
            <input type="hidden" name="base" value="\(bundle.digest)"><input type="hidden" name="path" value="\(path)">\
            \(editor.html)\(why.html)<div class="buttons"><button type="submit">Save as a draft</button>\
            <button type="submit" class="plain" formaction="\(PromptsPage.checkPath)">Check and preview</button></div>
            """
        )
    }
}
