import YAML

/// Reads a prompt's front matter and refuses unknown keys.
struct SettingsReader {
    private let name: PromptFileName
    private let file: String
    private var settings = PromptSettings()

    init(_ name: PromptFileName, file: String) {
        self.name = name
        self.file = file
    }

    /// Reads every key.
    mutating func settings(_ mapping: YAMLMapping) throws(PromptSourceError) -> PromptSettings {
        for entry in mapping.entries {
            do {
                try read(entry)
            } catch let error as YAMLError {
                throw PromptSourceError(file, error)
            } catch let error as PromptSourceError {
                throw error
            } catch {
                preconditionFailure("settings fail in two ways only")
            }
        }
        try checkDefaults(mapping)
        return settings
    }

    private mutating func read(_ entry: YAMLMapping.Entry) throws {
        switch entry.key {
        case "name": try expect(name.name, entry)
        case "variant": try expect(name.variant ?? "", entry)
        case "description": settings.summary = try entry.value.string()
        case "model": settings.model = try entry.value.string()
        case "config": try readConfig(entry.value)
        case "input": try readInput(entry.value)
        case "output": try readOutput(entry.value)
        case "metadata": _ = try entry.value.mapping()
        case let key where key.hasPrefix("hearth."): try readOurs(key.dropFirst(7), entry)
        case let key where key.contains("."): settings.extensions.append(key)
        default: throw error(entry, .unknownSetting(entry.key))
        }
    }

    private func error(_ entry: YAMLMapping.Entry, _ fault: PromptFault) -> PromptSourceError {
        PromptSourceError(file: file, SourcePosition(entry.position), fault)
    }

    /// Checks a name or variant against the file name, which must agree.
    private func expect(_ text: String, _ entry: YAMLMapping.Entry) throws {
        guard try entry.value.string() == text else {
            throw error(
                entry,
                .badSetting(entry.key, expected: text.isEmpty ? "left out" : "\"\(text)\", as the file is named")
            )
        }
    }

    private mutating func readConfig(_ node: YAMLNode) throws {
        for entry in try node.mapping().entries {
            switch entry.key {
            case "maxOutputTokens": settings.maximumTokens = try entry.value.integer(in: 1...4_096)
            case "temperature":
                let temperature = try entry.value.number()
                guard 0...2 ~= temperature else { throw entry.value.invalid("a number from 0 to 2") }
                settings.temperature = temperature
            case "stopSequences":
                settings.stop = try entry.value.strings()
                guard settings.stop.count <= 4, settings.stop.allSatisfy({ !$0.isEmpty }) else {
                    throw error(entry, .badSetting(entry.key, expected: "four texts at most, none of them empty"))
                }
            default: throw error(entry, .unknownSetting("config." + entry.key))
            }
        }
    }

    private mutating func readInput(_ node: YAMLNode) throws {
        for entry in try node.mapping().entries {
            switch entry.key {
            case "schema": settings.input = try Picoschema(file: file).schema(entry.value)
            case "default":
                for field in try entry.value.mapping().entries {
                    settings.defaults[field.key] = try TemplateValue(field.value)
                }
            default: throw error(entry, .unknownSetting("input." + entry.key))
            }
        }
    }

    private func readOutput(_ node: YAMLNode) throws {
        for entry in try node.mapping().entries {
            guard entry.key == "format" else { throw error(entry, .unknownSetting("output." + entry.key)) }
            guard try entry.value.string() == "text" else {
                throw error(entry, .badSetting("output.format", expected: "text"))
            }
        }
    }

    private mutating func readOurs(_ key: Substring, _ entry: YAMLMapping.Entry) throws {
        switch key {
        case "turns": settings.amounts.turns = try entry.value.integer(in: 0...20)
        case "facts": settings.amounts.facts = try entry.value.integer(in: 0...60)
        case "memories": settings.amounts.memories = try entry.value.integer(in: 0...16)
        case "tokens": settings.amounts.tokens = try entry.value.integer(in: 1...100_000)
        default: throw error(entry, .unknownSetting(entry.key))
        }
    }

    private func checkDefaults(_ mapping: YAMLMapping) throws(PromptSourceError) {
        for field in settings.defaults.fields {
            let place = mapping["input"].map { SourcePosition($0.position) } ?? .start
            guard let type = settings.input[field.name]?.type ?? settings.input.others else {
                throw PromptSourceError(file: file, place, .unknownVariable(field.name))
            }
            guard type.holds(field.value) else {
                throw PromptSourceError(file: file, place, .badDefault(field.name, expected: type.name))
            }
        }
    }
}
