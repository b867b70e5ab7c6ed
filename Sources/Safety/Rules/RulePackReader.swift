import Domain
import YAML

/// Reads a pack from its file and compiles it; ``RuleSet`` checks its examples.
struct RulePackReader {
    private let file: String
    private var lists: PhrasePattern.Lists
    private var patterns: [PhrasePattern] = []
    private var owners: [RulePack.Owner] = []
    private var signals: [String: Int] = [:]
    private var lines: [String: ReplacementLine] = [:]

    private init(file: String, lists: PhrasePattern.Lists) {
        self.file = file
        self.lists = lists
    }

    /// Reads a pack.
    ///
    /// - Parameter lists: The lists that all packs of its language share.
    static func pack(_ root: YAMLNode, lists: PhrasePattern.Lists) throws(RulePackError) -> RulePack {
        var reader = RulePackReader(file: root.position.file, lists: lists)
        do {
            return try reader.pack(root)
        } catch let error as YAMLError {
            throw .malformed(error)
        } catch let error as RulePackError {
            throw error
        } catch let error as PhraseDatabaseError {
            throw .notCompiled(file: reader.file, reason: "\(error)")
        } catch {
            throw .unreadable(file: reader.file, reason: "\(error)")
        }
    }

    /// Reads phrase lists; each may use the earlier ones.
    static func lists(
        _ mapping: YAMLMapping,
        after lists: PhrasePattern.Lists = [:]
    ) throws -> PhrasePattern.Lists {
        var lists = lists
        for entry in mapping.entries {
            guard lists[entry.key] == nil else { throw RulePackError.repeatedName(at: entry.position, name: entry.key) }
            var phrases: Set<PhrasePattern.Phrase> = []
            for node in try entry.value.sequence() {
                let text = try node.string()
                do {
                    phrases.formUnion(try PhrasePattern.phrases(text, lists: lists))
                } catch {
                    throw RulePackError.badPattern(at: node.position, pattern: text, reason: error)
                }
            }
            lists[entry.key] = phrases.sorted()
        }
        return lists
    }

    private mutating func pack(_ root: YAMLNode) throws -> RulePack {
        let map = try root.mapping(
            of: "pack",
            "language",
            "use",
            "fails",
            "guards",
            "lists",
            "lines",
            "signals",
            "rules",
            "about",
            "postures"
        )
        if let node = map["lists"] { lists = try Self.lists(try node.mapping(), after: lists) }
        let name = try map.string("pack")
        let use = try map.required("use").choice(of: RulePack.Use.self)
        let usual = Usual(guards: try guards(map["guards"]), fails: try map.required("fails").choice())
        if let node = map["lines"] { lines = try ReplacementLine.lines(try node.mapping()) }
        if let node = map["signals"] { try readSignals(try node.mapping()) }
        var rules: [Rule] = []
        for node in try map.required("rules").sequence() {
            let rule = try rule(node, pack: name, use: use, usual: usual, index: rules.count)
            guard !rules.contains(where: { $0.id == rule.id }) else {
                throw RulePackError.repeatedName(at: node.position, name: rule.id)
            }
            rules.append(rule)
        }
        let names = signals.sorted { $0.value < $1.value }.map(\.key)
        return RulePack(
            name: name,
            language: try map.string("language"),
            use: use,
            rules: rules,
            lines: lines,
            signals: names,
            patterns: try PatternSet(patterns),
            isStrictOnly: try map["postures"].map { node in try node.choice(of: Postures.self) } == .strict,
            owners: owners
        )
    }

    /// The postures in which a pack applies.
    private enum Postures: String, CaseIterable { case all, strict }

    private mutating func readSignals(_ mapping: YAMLMapping) throws {
        for entry in mapping.entries {
            let index = signals.count
            signals[entry.key] = index
            for node in try entry.value.sequence() { try addPattern(node, .signal(index)) }
        }
    }

    /// The defaults for the pack's rules.
    private struct Usual {
        let guards: [Guard: Level]
        let fails: Rule.FailureMode
    }

    @discardableResult
    private mutating func addPattern(_ node: YAMLNode, _ owner: RulePack.Owner) throws -> Int {
        let text = try node.string()
        do {
            let pattern = try PhrasePattern(text, lists: lists)
            patterns.append(pattern)
            owners.append(owner)
            return patterns.count - 1
        } catch {
            throw RulePackError.badPattern(at: node.position, pattern: text, reason: error)
        }
    }

    private mutating func rule(
        _ node: YAMLNode,
        pack: String,
        use: RulePack.Use,
        usual: Usual,
        index: Int
    ) throws -> Rule {
        let map = try node.mapping(
            of: "id",
            "category",
            "level",
            "action",
            "line",
            "ground",
            "grounds",
            "closing",
            "dose",
            "guards",
            "fails",
            "confidence",
            "patterns",
            "all",
            "unless",
            "unless_before",
            "unless_beside",
            "unless_within",
            "positives",
            "traps",
            "about"
        )
        let id = "\(pack).\(try map.string("id"))"
        let conditions = try conditions(map, index)
        let grounds = try grounds(map, use)
        guard !conditions.isEmpty || !grounds.isEmpty else {
            throw RulePackError.noCondition(at: node.position, rule: id)
        }
        let positives = try examples(map["positives"])
        let traps = try examples(map["traps"])
        guard !positives.isEmpty, !traps.isEmpty else {
            throw RulePackError.missingExamples(at: node.position, rule: id)
        }
        return Rule(
            id: id,
            consequence: try consequence(map, use),
            grounds: grounds,
            guards: map["guards"] == nil ? usual.guards : try guards(map["guards"]),
            fails: try map["fails"]?.choice() ?? usual.fails,
            confidence: try map["confidence"]?.number() ?? 0.9,
            positives: positives,
            traps: traps,
            position: node.position,
            conditions: conditions
        )
    }

    private func consequence(_ map: YAMLMapping, _ use: RulePack.Use) throws -> Rule.Consequence {
        switch use {
        case .input:
            if let ground = map["ground"] { return .ground(try ground.choice()) }
            if let closing = map["closing"] { return .closing(try closing.choice()) }
            if let dose = map["dose"] { return .dose(try dose.choice()) }
            return .finding(try map.required("level").choice(), try map.required("category").choice())
        case .output:
            let action = try map.required("action").choice(of: Rule.Action.self)
            guard action == .replace else { return .verdict(action, line: "") }
            let line = try map.string("line")
            guard lines[line] != nil else { throw try map.required("line").invalid("one of the pack's lines") }
            return .verdict(.replace, line: line)
        }
    }

    /// The restricted topics of a rule for a model's words.
    private func grounds(_ map: YAMLMapping, _ use: RulePack.Use) throws -> Set<RestrictedTopic> {
        guard let node = map["grounds"] else { return [] }
        guard use == .output else { throw node.invalid("grounds for rules over a model's words alone") }
        return Set(try node.sequence().map { node in try node.choice(of: RestrictedTopic.self) })
    }

    private mutating func conditions(_ map: YAMLMapping, _ index: Int) throws -> Rule.Conditions {
        var conditions = Rule.Conditions()
        for node in try map["patterns"]?.sequence() ?? [] {
            conditions.patterns.append(try addPattern(node, .rule(index)))
        }
        for node in try map["all"]?.sequence() ?? [] {
            conditions.conjunctions.append(try node.sequence().map { node in try signal(node) })
        }
        conditions.unless = try signals(map["unless"])
        conditions.unlessBefore = try signals(map["unless_before"])
        conditions.unlessBeside = try signals(map["unless_beside"])
        conditions.unlessWithin = try signals(map["unless_within"])
        return conditions
    }

    private func signals(_ node: YAMLNode?) throws -> [Int] {
        try (node?.sequence() ?? []).map { node in try signal(node) }
    }

    private func signal(_ node: YAMLNode) throws -> Int {
        let name = try node.string()
        guard let signal = signals[name] else { throw RulePackError.unknownSignal(at: node.position, name: name) }
        return signal
    }

    private func examples(_ node: YAMLNode?) throws -> [Rule.Example] {
        try (node?.sequence() ?? []).map { node in Rule.Example(text: try node.string(), position: node.position) }
    }

    /// Reads `[negation, other]`, or `[negation, other: low]` for a guard that only lowers the level.
    private func guards(_ node: YAMLNode?) throws -> [Guard: Level] {
        var guards: [Guard: Level] = [:]
        for node in try node?.sequence() ?? [] {
            if case .mapping(let map) = node.content {
                for entry in map.entries {
                    guard let name = Guard(rawValue: entry.key) else { throw node.invalid("a guard") }
                    guards[name] = try entry.value.choice(of: Level.self)
                }
            } else {
                guards[try node.choice(of: Guard.self)] = Level.none
            }
        }
        return guards
    }
}
