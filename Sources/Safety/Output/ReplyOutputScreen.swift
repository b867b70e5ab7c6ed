package import Conversation

/// Screens what a model writes, sentence by sentence, with the packs for output.
///
/// A sentence that gives advice, helps harm or a fraud, or claims to be human ends the reply with a line of ours; one that
/// states what belongs to the records, or promises what nobody will do, is left out. Marks that cannot be spoken are taken
/// out of a sentence. Without a pack for output nothing of the model's is said. About 30 µs a sentence.
package struct ReplyOutputScreen: OutputScreen {
    private let book: RuleBook
    private let normaliser = Normaliser()

    /// Makes a screen.
    package init(_ book: RuleBook) {
        self.book = book
    }

    package func screen(_ sentence: String, answering turn: Turn, _ decision: Decision) -> OutputVerdict {
        let spoken: String
        switch SpokenForm.reading(of: sentence) {
        case .unspeakable(let rule): return .drop(rule: rule)
        case .speech(let text): spoken = text
        }
        let edition = book.edition
        let normal = normaliser.normalise(spoken)
        let matches = matches(in: normal, edition)
        guard let matches else { return .drop(rule: "output.unavailable") }
        if let gravest = gravest(matches) { return verdict(gravest, spoken, turn, decision) }
        if let rule = Reassurance.rule(for: normal, decision) { return .drop(rule: rule) }
        return spoken == sentence ? .pass : .rewrite(spoken)
    }

    private struct Found {
        let match: RuleMatch
        let pack: RulePack
    }

    /// The rules that hold; nil when there is no pack for output, or the text could not be weighed.
    private func matches(in text: NormalisedText, _ edition: RuleBook.Edition) -> [Found]? {
        var found: [Found] = []
        var packs = 0
        for (language, cues) in edition.languages {
            let reading = ClauseReading(of: text, with: cues.book)
            for loaded in edition.outputPacks where loaded.pack.language == language {
                guard let matches = loaded.pack.matches(in: text, reading) else { return nil }
                packs += 1
                for match in matches where match.level > .none { found.append(Found(match: match, pack: loaded.pack)) }
            }
        }
        return packs > 0 ? found : nil
    }

    /// A line of ours goes before leaving out; among equals the pack's order decides.
    private func gravest(_ found: [Found]) -> Found? {
        found.first { found in
            if case .verdict(.replace, _) = found.match.rule.consequence { true } else { false }
        } ?? found.first
    }

    private func verdict(_ found: Found, _ sentence: String, _ turn: Turn, _ decision: Decision) -> OutputVerdict {
        let (rule, pack) = (found.match.rule, found.pack)
        guard case .verdict(.replace, let name) = rule.consequence else { return .drop(rule: rule.id) }
        let quiet = decision.isUnannounced ? pack.lines[name + "_unannounced"] : nil
        guard let line = quiet ?? pack.lines[name] else { return .drop(rule: rule.id) }
        let language = pack.language == "en" ? SpokenLanguage.guess(turn.text + " " + sentence) : pack.language
        return .replace(with: line.reply(in: language), rule: rule.id)
    }
}

extension Decision {
    /// Whether the person's carer may be the danger, so that nobody close is said to be told.
    fileprivate var isUnannounced: Bool {
        let categories: [Conversation.Category] = [.abuse, .neglect]
        return categories.contains { category in
            alerts.contains { $0.category == category } || state.check?.category == category
                || state.risk[category.rawValue] != nil
        }
    }
}
