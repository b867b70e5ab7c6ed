import Conversation

extension RulePack {
    /// The rules that fire in a text in pack order, each with its most severe match; nil for a hostile text.
    ///
    /// - Parameters:
    ///   - reading: Analyses the text's clauses in the pack's language on demand.
    ///   - grounds: The restricted topics of the message.
    func matches(
        in text: NormalisedText,
        _ reading: ClauseReading,
        on grounds: Set<Ground> = Ground.all
    ) -> [RuleMatch]? {
        guard let found = patterns.matches(in: text) else { return nil }
        guard hasOpenRule || !found.isEmpty else { return [] }
        let finds = PackFinds(found, in: self, words: text.words.indices)
        let likely = rules.indices.filter { rules[$0].holds(on: grounds) && finds.couldFire(rules[$0], at: $0) }
        guard !likely.isEmpty else { return [] }
        guard let clauses = reading.clauses else { return nil }
        let weighing = RuleWeighing(finds, clauses)
        return likely.compactMap { weighing.match(of: rules[$0], at: $0) }
    }

    /// The rules that count as found in a text that could not be searched.
    func assumedMatches(in text: NormalisedText) -> [RuleMatch] {
        rules.filter { $0.fails == .alert }.map { rule in
            RuleMatch(rule: rule, words: text.words.indices, guards: [], level: rule.level, confidence: 0.5)
        }
    }
}

extension Ground {
    /// Every ground.
    static let all = Set(allCases)
}

extension Rule {
    /// The level of the rule without guards.
    var level: Level {
        switch consequence {
        case .finding(let level, _): level
        case .verdict, .ground, .closing: .high
        }
    }

    /// Returns true if the rule applies to one of the restricted topics.
    func holds(on grounds: Set<Ground>) -> Bool { self.grounds.isEmpty || !self.grounds.isDisjoint(with: grounds) }
}
