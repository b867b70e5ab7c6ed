import YAML

/// Converts a Prompty file to a prompt, as far as the formats agree.
///
/// It reads `name`, `description`, the model's temperature and token limit, and the inputs. In the body it reads
/// `system:`, `user:` and `assistant:` lines, `{{ name }}`, and Jinja's `if`, `else` and `endif`. Connections and their
/// secrets are dropped. Loops, filters and everything else are refused with their line.
package struct PromptyImport {
    private let source: SourceText
    private var names: [String] = []

    package init(_ source: SourceText) {
        self.source = source
    }

    /// The text of the prompt file.
    package mutating func prompt() throws(PromptSourceError) -> String {
        let matter = try FrontMatter(source)
        let body = try body(matter.body)
        do {
            return try settings(matter.settings) + body
        } catch let error as YAMLError {
            throw PromptSourceError(source.file, error)
        } catch {
            throw PromptSourceError(file: source.file, .start, .unsupported("\(error)"))
        }
    }

    private func settings(_ mapping: YAMLMapping) throws -> String {
        var text = "---\n"
        if let summary = try mapping["description"]?.string() {
            text += "description: \(TemplateValue.string(summary).json())\n"
        }
        text += try config(mapping["model"])
        let declared = try inputs(mapping["inputs"])
        let all = declared + names.filter { !declared.contains($0) }
        if !all.isEmpty {
            text += "input:\n  schema:\n" + all.map { "    \($0): string\n" }.joined()
        }
        return text + "---\n"
    }

    /// Reads the options, which version 1 calls `parameters` and version 2 `options`.
    private func config(_ node: YAMLNode?) throws -> String {
        guard let model = try? node?.mapping() else { return "" }
        let options = try (model["options"] ?? model["parameters"])?.mapping()
        var lines: [String] = []
        if let temperature = try options?["temperature"]?.number() { lines.append("temperature: \(temperature)") }
        let most = options?["max_tokens"] ?? options?["maxOutputTokens"] ?? options?["max_completion_tokens"]
        if let most { lines.append("maxOutputTokens: \(try most.integer())") }
        return lines.isEmpty ? "" : "config: {\(lines.joined(separator: ", "))}\n"
    }

    private func inputs(_ node: YAMLNode?) throws -> [String] {
        guard let node else { return [] }
        if let list = try? node.sequence() { return try list.map { try $0.mapping().string("name") } }
        return try node.mapping().keys
    }

    // MARK: The body

    private mutating func body(_ range: Range<Int>) throws(PromptSourceError) -> String {
        var lines: [String] = []
        var offset = range.lowerBound
        for line in source.text(range).split(separator: "\n", omittingEmptySubsequences: false) {
            lines.append(try imported(line, at: offset))
            offset += line.utf8.count + 1
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private mutating func imported(_ line: Substring, at offset: Int) throws(PromptSourceError) -> String {
        if let role = Self.role(of: line) { return "{{role \"\(role)\"}}" }
        var text = ""
        var rest = line
        while let open = rest.firstRange(of: /\{\{|\{%/) {
            text += rest[..<open.lowerBound]
            let isValue = rest[open].hasSuffix("{")
            let place = offset + line.utf8.distance(from: line.startIndex, to: open.lowerBound)
            guard let close = rest[open.upperBound...].firstRange(of: isValue ? "}}" : "%}") else {
                throw source.error(at: place, .unclosedTag)
            }
            let words = rest[open.upperBound..<close.lowerBound].split { " \t-".contains($0) }.map(String.init)
            text += try isValue ? value(words, at: place) : statement(words, at: place)
            rest = rest[close.upperBound...]
        }
        return text + rest
    }

    private static func role(of line: Substring) -> String? {
        switch line.trimming(while: \.isWhitespace).lowercased() {
        case "system:", "developer:": "system"
        case "user:": "user"
        case "assistant:": "model"
        default: nil
        }
    }

    private mutating func value(_ words: [String], at place: Int) throws(PromptSourceError) -> String {
        guard words.count == 1, words[0].isTemplateName else {
            throw source.error(at: place, .unsupported("{{\(words.joined(separator: " "))}}: a name is imported"))
        }
        note(words[0])
        return "{{\(words[0])}}"
    }

    private mutating func statement(_ words: [String], at place: Int) throws(PromptSourceError) -> String {
        switch (words.first, words.count) {
        case ("if", 2) where words[1].isTemplateName:
            note(words[1])
            return "{{#if \(words[1])}}"
        case ("else", 1): return "{{else}}"
        case ("endif", 1): return "{{/if}}"
        default:
            let shown = words.joined(separator: " ")
            throw source.error(at: place, .unsupported("{% \(shown) %}: if, else and endif are imported"))
        }
    }

    private mutating func note(_ name: String) {
        if !names.contains(name) { names.append(name) }
    }
}

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
