import Conversation

/// Measures every rule of a book on labelled sentences: the exemplars of its bundle, and the positives and traps of the
/// other rules of its pack.
///
/// A rule's own examples are left out: a pack in which one of them fails is not loaded, so that they say nothing. Of a
/// positive it is known which category it tells of, of a trap that it tells of none. About 0.2 s for the packs that come
/// with the service; blocks for as long.
package struct RuleMeasurement {
    /// A sentence with what it tells of.
    private struct Labelled {
        let text: NormalisedText
        let original: String
        /// The category of what a patient says; nil when it tells of nothing.
        let category: Conversation.Category?
        /// Whether a model must not say it.
        let isForbidden: Bool
        /// Whether it protects somebody in danger.
        var isProtective = false
        /// The ground that what a patient says treads on; nil for none, and where it is not known.
        let ground: Ground?
        /// The way in which what a patient says ends a danger.
        var closing: Closing?
        /// The rule that it is an example of; nil for an exemplar.
        let owner: String?
    }

    /// What a rule made of a sentence.
    struct Judged {
        let text: String
        let isThere: Bool
        let isFound: Bool
    }

    /// The language that exemplars are written in, but for a few.
    private static let language = "en"

    private let edition: RuleBook.Edition
    private let exemplars: [Labelled]
    private let normaliser = Normaliser()

    /// Prepares a measurement.
    package init(_ book: RuleBook, _ exemplars: [Exemplar]) {
        edition = book.edition
        let normaliser = Normaliser()
        self.exemplars = exemplars.map {
            Labelled(
                text: normaliser.normalise($0.text),
                original: $0.text,
                category: $0.category,
                isForbidden: false,
                ground: nil,
                owner: nil
            )
        }
    }

    /// Each rule's figures, by its name.
    package func figures() -> [String: RuleFigures] {
        var figures: [String: RuleFigures] = [:]
        for loaded in edition.packs.values {
            guard let cues = edition.cues[loaded.pack.language]?.book else { continue }
            for (rule, judged) in judged(by: loaded.pack, cues) { figures[rule] = RuleFigures(judged) }
        }
        return figures
    }

    private func judged(by pack: RulePack, _ cues: CueBook) -> [String: [Judged]] {
        var judged = Dictionary(uniqueKeysWithValues: pack.rules.map { ($0.id, [Judged]()) })
        for sentence in examples(of: pack) + (pack.use == .input ? exemplars : []) {
            let matches = pack.matches(in: sentence.text, ClauseReading(of: sentence.text, with: cues)) ?? []
            let found = Set(matches.filter { $0.level > .none }.map(\.rule.id))
            for rule in pack.rules where rule.id != sentence.owner {
                let isFound = found.contains(rule.id)
                let isThere = Self.isThere(rule, in: sentence)
                // That a rule of another language is silent on an exemplar says nothing of the rule.
                if !isFound, isThere, sentence.owner == nil, pack.language != Self.language { continue }
                judged[rule.id]?.append(Judged(text: sentence.original, isThere: isThere, isFound: isFound))
            }
        }
        return judged
    }

    private static func isThere(_ rule: Rule, in sentence: Labelled) -> Bool {
        switch rule.consequence {
        case .finding(_, let category): sentence.category == category
        case .verdict(.drop, _), .verdict(.replace, _): sentence.isForbidden
        case .verdict(.protect, _), .verdict(.emergency, _): sentence.isProtective
        case .ground(let ground): sentence.ground == ground
        case .closing(let closing): sentence.closing == closing
        }
    }

    private func examples(of pack: RulePack) -> [Labelled] {
        pack.rules.flatMap { rule in
            rule.positives.map { labelled($0, of: rule, isPositive: true) }
                + rule.traps.map { labelled($0, of: rule, isPositive: false) }
        }
    }

    private func labelled(_ example: Rule.Example, of rule: Rule, isPositive: Bool) -> Labelled {
        var category: Conversation.Category?
        var ground: Ground?
        var closing: Closing?
        var (isForbidden, isProtective) = (false, false)
        switch rule.consequence {
        case .finding(_, let found): category = isPositive ? found : nil
        case .ground(let found): ground = isPositive ? found : nil
        case .closing(let found): closing = isPositive ? found : nil
        case .verdict(.protect, _), .verdict(.emergency, _): isProtective = isPositive
        case .verdict: isForbidden = isPositive
        }
        return Labelled(
            text: normaliser.normalise(example.text),
            original: example.text,
            category: category,
            isForbidden: isForbidden,
            isProtective: isProtective,
            ground: ground,
            closing: closing,
            owner: rule.id
        )
    }
}
