import YAML

/// Reads the cues and shared lists of a language.
enum CueReader {
    static func cues(_ text: String, file: String) throws(RulePackError) -> RuleBook.LanguageCues {
        do {
            let map = try YAML.parse(text, file: file).mapping(of: "about", "lists", "cues")
            let lists = try map["lists"].map { try RulePackReader.lists(try $0.mapping()) } ?? [:]
            return RuleBook.LanguageCues(source: text, book: try CueBook(try patterns(map, lists)), lists: lists)
        } catch let error as YAMLError {
            throw .malformed(error)
        } catch let error as RulePackError {
            throw error
        } catch {
            throw .notCompiled(file: file, reason: "\(error)")
        }
    }

    private static func patterns(
        _ map: YAMLMapping,
        _ lists: PhrasePattern.Lists
    ) throws -> [(cue: Cue, pattern: PhrasePattern)] {
        var patterns: [(cue: Cue, pattern: PhrasePattern)] = []
        for entry in try map.required("cues").mapping().entries {
            guard let cue = Cue(rawValue: entry.key) else {
                let known = Cue.allCases.map(\.rawValue)
                throw YAMLError.unknownKey(at: entry.position, key: entry.key, known: known)
            }
            for node in try entry.value.sequence() {
                let text = try node.string()
                do {
                    patterns.append((cue, try PhrasePattern(text, lists: lists)))
                } catch {
                    throw RulePackError.badPattern(at: node.position, pattern: text, reason: error)
                }
            }
        }
        return patterns
    }
}
