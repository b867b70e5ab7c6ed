/// What the patterns of a pack found in one text, by the rules and signals that own them.
struct PackFinds {
    /// Words that a pattern matched.
    struct Place {
        let words: Range<Int>
        /// Whether the pattern's own words deny something.
        let deniesItself: Bool
    }

    private var rules: [[Place]]
    private var signals: [[Place]]

    /// - Parameter words: The whole text, for rules that fire on whatever is said.
    init(_ matches: [PatternSet.Match], in pack: RulePack, words: Range<Int>) {
        rules = [[Place]](repeating: [], count: pack.rules.count)
        signals = [[Place]](repeating: [], count: pack.signals.count)
        if pack.hasOpenRule, !words.isEmpty {
            for (place, rule) in pack.rules.enumerated() where rule.conditions.isEmpty {
                rules[place] = [Place(words: words, deniesItself: false)]
            }
        }
        for match in matches {
            let place = Place(words: match.words, deniesItself: pack.patterns.denies[match.pattern])
            switch pack.owners[match.pattern] {
            case .rule(let rule): rules[rule].append(place)
            case .signal(let signal): signals[signal].append(place)
            }
        }
    }

    /// Where a rule's own patterns matched.
    func places(ofRule rule: Int) -> [Place] { rules[rule] }

    /// Where a signal's patterns matched.
    func places(ofSignal signal: Int) -> [Place] { signals[signal] }

    /// Whether a rule would fire if no guard held.
    func couldFire(_ rule: Rule, at index: Int) -> Bool {
        if !rules[index].isEmpty { return true }
        return rule.conditions.conjunctions.contains { $0.allSatisfy { !signals[$0].isEmpty } }
    }
}
