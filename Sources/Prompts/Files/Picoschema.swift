import YAML

/// Reads an input schema in Dotprompt's Picoschema notation.
///
/// It supports `name: string, description`, `name?: …` for optional fields, and `(*)` for fields with other names.
/// `(array)`, `(object)` and `(enum)` follow the name, with an optional description. Full JSON Schema and named schemas
/// are not supported.
struct Picoschema {
    private let file: String

    init(file: String) {
        self.file = file
    }

    /// Reads the fields of a mapping.
    func schema(_ node: YAMLNode) throws(PromptSourceError) -> InputSchema {
        var variables: [InputSchema.Variable] = []
        var others: InputType?
        for entry in try mapping(node).entries {
            if entry.key == "(*)" {
                others = try type(entry.value)
                continue
            }
            let variable = try variable(entry)
            guard !variables.contains(where: { $0.name == variable.name }) else {
                throw error(entry.position, .badVariableName(entry.key))
            }
            variables.append(variable)
        }
        return InputSchema(variables, others: others)
    }

    private func mapping(_ node: YAMLNode) throws(PromptSourceError) -> YAMLMapping {
        do {
            return try node.mapping()
        } catch {
            throw PromptSourceError(file, error)
        }
    }

    private func variable(_ entry: YAMLMapping.Entry) throws(PromptSourceError) -> InputSchema.Variable {
        let parts = entry.key.split(separator: "(", maxSplits: 1, omittingEmptySubsequences: false)
        let isOptional = parts[0].hasSuffix("?")
        let name = String(isOptional ? parts[0].dropLast() : parts[0])
        guard name.isTemplateName else { throw error(entry.position, .badVariableName(entry.key)) }
        let type: InputType
        if parts.count == 2 {
            guard parts[1].hasSuffix(")") else { throw error(entry.position, .badVariableName(entry.key)) }
            type = try self.type(entry, kind: Self.withoutDescription(String(parts[1].dropLast())))
        } else {
            type = try self.type(entry.value)
        }
        return InputSchema.Variable(name, type, isOptional: isOptional, at: SourcePosition(entry.position))
    }

    private func type(_ entry: YAMLMapping.Entry, kind: String) throws(PromptSourceError) -> InputType {
        switch kind {
        case "array": .list(try type(entry.value))
        case "object": .object(try schema(entry.value))
        case "enum": .enumeration(try choices(entry.value))
        default: throw error(entry.position, .badType(kind))
        }
    }

    /// The type named by a scalar before its description, or the object described by a mapping.
    private func type(_ node: YAMLNode) throws(PromptSourceError) -> InputType {
        guard case .scalar(let text, _) = node.content else { return .object(try schema(node)) }
        switch Self.withoutDescription(text) {
        case "any": return .any
        case "string": return .string
        case "boolean": return .boolean
        case "integer": return .integer
        case "number": return .number
        case "null": return .null
        case let name: throw error(node.position, .badType(name))
        }
    }

    private func choices(_ node: YAMLNode) throws(PromptSourceError) -> [TemplateValue] {
        do {
            var choices: [TemplateValue] = []
            for node in try node.sequence() { choices.append(try TemplateValue(node)) }
            return choices
        } catch {
            throw PromptSourceError(file, error)
        }
    }

    private static func withoutDescription(_ text: String) -> String {
        let type = text.prefix { $0 != "," }
        return type.trimming(while: \.isWhitespace)
    }

    private func error(_ position: YAMLPosition, _ fault: PromptFault) -> PromptSourceError {
        PromptSourceError(file: file, SourcePosition(position), fault)
    }
}

extension Substring {
    /// The text without leading and trailing characters that satisfy a condition.
    func trimming(while condition: (Character) -> Bool) -> String {
        let start = drop(while: condition)
        guard let last = start.lastIndex(where: { !condition($0) }) else { return "" }
        return String(start[...last])
    }
}
