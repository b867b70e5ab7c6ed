import Conversation
import HTTPServing
import Prompts
import Runtime

/// Editor routes: a file's text, lint and preview while typing, and saving a draft.
extension PromptsPage {
    var editing: [ConsoleRoute] {
        [
            .get("/prompts/bundles/{bundle}/file") { call async throws(ConsoleRefusal) in
                let bundle = try await bundle(call)
                let path = call.request.queryValue("path") ?? ""
                guard BundleEdit.isEditable(path), let file = bundle.file(path) else { throw .notFound }
                let text = String(decoding: file.bytes, as: UTF8.self)
                let view = EditorView(bundle: bundle, path: path, text: text, call: call)
                return .page(title: path, view.html, scripts: [.editor])
            },
            .ask("/prompts/check", .operator, bodyLimit: BundleEdit.formBytes) { call async throws(ConsoleRefusal) in
                let edit = try await edit(call)
                let checked = try await checks.check(edit, for: call.operator.id)
                guard call.form["piece"].isEmpty else {
                    return .fragment(CheckView(checked: checked, path: edit.path).html)
                }
                return .page(title: edit.path, editor(edit, call, checked).html, scripts: [.editor])
            },
            .post(
                "/prompts/drafts",
                .operator,
                action: "bundle_draft",
                bodyLimit: BundleEdit.formBytes,
                save
            ),
        ]
    }

    private func edit(_ call: ConsoleCall) async throws(ConsoleRefusal) -> BundleEdit {
        let base = try await shelf.bundle(call.form["base"])
        guard let edit = BundleEdit(base, path: call.form["path"], text: call.form.whole("text")) else {
            throw .notFound
        }
        return edit
    }

    private func editor(
        _ edit: BundleEdit,
        _ call: ConsoleCall,
        _ checked: CheckedEdit?,
        _ complaint: String = ""
    ) -> EditorView {
        EditorView(
            bundle: edit.base,
            path: edit.path,
            text: edit.text,
            checked: checked,
            complaint: complaint,
            reason: call.form["reason"],
            call: call
        )
    }

    /// Saves a draft as a new bundle.
    ///
    /// A draft that cannot be saved is returned with all that was typed.
    private func save(_ call: ConsoleCall) async throws(ConsoleRefusal) -> ConsoleAnswer {
        let edit = try await edit(call)
        let reason = call.form["reason"]
        let complaint =
            !edit.isChange ? "Nothing is changed yet." : reason.isEmpty ? "Say why; it is kept with the draft." : ""
        guard complaint.isEmpty else {
            return .invalid(title: edit.path, editor(edit, call, nil, complaint).html, scripts: [.editor])
        }
        let checked = try await checks.check(edit, for: call.operator.id)
        guard checked.isLoadable else {
            let sentence = "The draft cannot be saved: lint found an error."
            return .invalid(title: edit.path, editor(edit, call, checked, sentence).html, scripts: [.editor])
        }
        let digest = try await asked { () async throws(ReleaseRefusal) in try await parts.desk.store(edit.files) }
        let details = [
            "bundle": digest, "base": edit.base.digest, "file": edit.path, "why": String(reason.prefix(1_000)),
        ]
        try await call.note(Self.drafted, details)
        return .redirect(Self.path(of: digest), notice: "The draft is saved as the bundle \(digest.prefix(12)).")
    }
}
