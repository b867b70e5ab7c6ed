/// Converts plain text to a prompt: the text becomes the system message, followed by the patient's words.
///
/// `{name}` and `{{name}}` become variables; other braces stay unchanged.
package enum PlainTextImport {
    /// The text of the prompt file.
    package static func prompt(_ text: String) -> String {
        var names: [String] = []
        let body = text.replacing(/\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}|\{([A-Za-z_][A-Za-z0-9_]*)\}|\{\{/) { match in
            guard let name = (match.output.1 ?? match.output.2).map(String.init) else { return "\\{{" }
            if !names.contains(name) { names.append(name) }
            return "{{\(name)}}"
        }
        let variables = (names + (names.contains("message") ? [] : ["message"])).map { "    \($0): string\n" }
        return "---\ninput:\n  schema:\n\(variables.joined())---\n{{role \"system\"}}\n"
            + body.trimmingBlanks + "\n{{role \"user\"}}\n{{message}}\n"
    }
}
