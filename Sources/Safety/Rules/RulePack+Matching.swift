import Conversation

extension RulePack {
    /// The rules that fire in a text, in the pack's order, each with its gravest match; nil when the text is hostile.
    ///
    /// - Parameter analyser: Reads clauses in the pack's language.
    func matches(in text: NormalisedText, _ analyser: ClauseAnalyser) -> [RuleMatch]? {
        guard let found = patterns.matches(in: text) else { return nil }
        guard !found.isEmpty else { return [] }
        var weighing = Weighing(self, analyser)
        for match in found { weighing.add(match) }
        return rules.indices.compactMap { weighing.match(of: $0) }
    }

    /// The rules that count as found in a text that could not be searched.
    func assumedMatches(in text: NormalisedText) -> [RuleMatch] {
        rules.filter { $0.fails == .alert }.map { rule in
            RuleMatch(rule: rule, words: text.words.indices, guards: [], level: rule.level, confidence: 0.5)
        }
    }
}

extension Rule {
    /// How grave the rule is when no guard holds.
    var level: Level {
        switch consequence {
        case .finding(let level, _): level
        case .verdict: .high
        }
    }

    /// The level that circumstances leave.
    func level(under circumstances: Set<Guard>) -> Level {
        circumstances.compactMap { guards[$0] }.min().map { min($0, level) } ?? level
    }
}

/// Weighs a pack's rules against what was found in one text.
private struct Weighing {
    private struct Place {
        let words: Range<Int>
        let guards: Set<Guard>
    }

    private let pack: RulePack
    private let analyser: ClauseAnalyser
    private var ofRule: [Int: [Place]] = [:]
    private var ofSignal: [Int: [Place]] = [:]

    init(_ pack: RulePack, _ analyser: ClauseAnalyser) {
        self.pack = pack
        self.analyser = analyser
    }

    mutating func add(_ match: PatternSet.Match) {
        let guards = analyser.guards(of: match.words, deniesItself: pack.patterns.denies[match.pattern])
        let place = Place(words: match.words, guards: guards)
        switch pack.owners[match.pattern] {
        case .rule(let rule): ofRule[rule, default: []].append(place)
        case .signal(let signal): ofSignal[signal, default: []].append(place)
        }
    }

    func match(of index: Int) -> RuleMatch? {
        let rule = pack.rules[index]
        guard !rule.conditions.unless.contains(where: { holds($0, rule) }) else { return nil }
        let own = (ofRule[index] ?? []).map { weighed($0, rule) }
        let joint = rule.conditions.conjunctions.compactMap { conjunction($0, rule) }
        let summed = evidence(rule).map { [$0] } ?? []
        return (own + joint + summed).max { ($0.level, $0.confidence) < ($1.level, $1.confidence) }
    }

    private func weighed(_ place: Place, _ rule: Rule) -> RuleMatch {
        let level = rule.level(under: place.guards)
        return RuleMatch(
            rule: rule,
            words: place.words,
            guards: place.guards,
            level: level,
            confidence: rule.confidence
        )
    }

    private func holds(_ signal: Int, _ rule: Rule) -> Bool {
        ofSignal[signal]?.contains { rule.level(under: $0.guards) == rule.level } ?? false
    }

    /// All signals together are as grave as the one that the guards leave least.
    private func conjunction(_ signals: [Int], _ rule: Rule) -> RuleMatch? {
        var places: [RuleMatch] = []
        for signal in signals {
            let best = ofSignal[signal]?.map { weighed($0, rule) }.max { $0.level < $1.level }
            guard let best else { return nil }
            places.append(best)
        }
        return places.min { $0.level < $1.level }
    }

    private func evidence(_ rule: Rule) -> RuleMatch? {
        guard let evidence = rule.conditions.evidence else { return nil }
        var sum = 0
        var heaviest: (weight: Int, match: RuleMatch)?
        for (signal, weight) in evidence.weights {
            guard let place = ofSignal[signal]?.first(where: { rule.level(under: $0.guards) == rule.level }) else {
                continue
            }
            sum += weight
            if weight > heaviest?.weight ?? 0 { heaviest = (weight, weighed(place, rule)) }
        }
        guard sum >= evidence.atLeast, let match = heaviest?.match else { return nil }
        let confidence = min(0.99, 0.6 + 0.08 * Double(sum - evidence.atLeast))
        return RuleMatch(
            rule: rule,
            words: match.words,
            guards: match.guards,
            level: rule.level,
            confidence: confidence
        )
    }
}
