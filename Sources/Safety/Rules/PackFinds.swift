/// The matches of a pack's patterns in one text, by rule and signal.
struct PackFinds {
    /// The words that a pattern matched.
    struct Place {
        let words: Range<Int>
        /// True if the pattern's own words deny something.
        let deniesItself: Bool
    }

    private var rules: [[Place]]
    private var signals: [[Place]]

    /// - Parameter words: The whole text, for rules that fire on any text.
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

    /// The matches of a rule's own patterns.
    func places(ofRule rule: Int) -> [Place] { rules[rule] }

    /// The matches of a signal's patterns.
    func places(ofSignal signal: Int) -> [Place] { signals[signal] }

    /// Returns true if a rule would fire without guards.
    func couldFire(_ rule: Rule, at index: Int) -> Bool {
        if !rules[index].isEmpty { return true }
        return rule.conditions.conjunctions.contains { $0.allSatisfy { !signals[$0].isEmpty } }
    }
}
