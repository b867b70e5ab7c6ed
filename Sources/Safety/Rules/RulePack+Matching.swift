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
}

/// Weighs a pack's rules against what was found in one text.
private struct Weighing {
    private struct Place {
        let words: Range<Int>
        let deniesItself: Bool
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
        let place = Place(words: match.words, deniesItself: pack.patterns.denies[match.pattern])
        switch pack.owners[match.pattern] {
        case .rule(let rule): ofRule[rule, default: []].append(place)
        case .signal(let signal): ofSignal[signal, default: []].append(place)
        }
    }

    func match(of index: Int) -> RuleMatch? {
        let rule = pack.rules[index]
        let conditions = rule.conditions
        var best = gravest(ofRule[index] ?? [], rule).map { (place: $0.place, level: $0.level, rule.confidence) }
        for signals in conditions.conjunctions {
            guard let joint = conjunction(signals, rule), joint.level > best?.level ?? .none || best == nil else {
                continue
            }
            best = (joint.place, joint.level, rule.confidence)
        }
        if best?.level ?? .none < rule.level, let summed = evidence(rule) {
            best = (summed.place, rule.level, summed.confidence)
        }
        guard let best, !conditions.unless.contains(where: { holds($0, rule) }) else { return nil }
        let guards = analyser.guards(of: best.place.words, deniesItself: best.place.deniesItself)
        return RuleMatch(rule: rule, words: best.place.words, guards: guards, level: best.level, confidence: best.2)
    }

    /// The first place at which the rule keeps its full level, or else the one that the guards leave most of.
    private func gravest(_ places: [Place], _ rule: Rule) -> (place: Place, level: Level)? {
        var best: (place: Place, level: Level)?
        for place in places {
            let level = level(of: rule, at: place)
            if level > best?.level ?? .none || best == nil { best = (place, level) }
            if level == rule.level { break }
        }
        return best
    }

    private func level(of rule: Rule, at place: Place) -> Level {
        var level = rule.level
        for (name, lowered) in rule.guards where lowered < level {
            if analyser.holds(name, of: place.words, deniesItself: place.deniesItself) { level = lowered }
        }
        return level
    }

    private func holds(_ signal: Int, _ rule: Rule) -> Bool {
        gravest(ofSignal[signal] ?? [], rule)?.level == rule.level
    }

    /// All signals together are as grave as the one that the guards leave least.
    private func conjunction(_ signals: [Int], _ rule: Rule) -> (place: Place, level: Level)? {
        guard signals.allSatisfy({ ofSignal[$0] != nil }) else { return nil }
        return signals.compactMap { gravest(ofSignal[$0] ?? [], rule) }.min { $0.level < $1.level }
    }

    private func evidence(_ rule: Rule) -> (place: Place, confidence: Double)? {
        guard let evidence = rule.conditions.evidence else { return nil }
        let most = evidence.weights.reduce(0) { ofSignal[$1.signal] == nil ? $0 : $0 + max(0, $1.weight) }
        guard most >= evidence.atLeast else { return nil }
        var sum = 0
        var heaviest: (weight: Int, place: Place)?
        for (signal, weight) in evidence.weights {
            guard let place = gravest(ofSignal[signal] ?? [], rule), place.level == rule.level else { continue }
            sum += weight
            if weight > heaviest?.weight ?? 0 { heaviest = (weight, place.place) }
        }
        guard sum >= evidence.atLeast, let heaviest else { return nil }
        return (heaviest.place, min(0.99, 0.6 + 0.08 * Double(sum - evidence.atLeast)))
    }
}
