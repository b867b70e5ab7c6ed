package import Conversation

/// Screens what a model writes, sentence by sentence, with the packs for output.
///
/// A sentence that gives advice, helps harm or a fraud, or claims to be human ends the reply with a line of ours; one that
/// states what belongs to the records, or promises what nobody will do, is left out, and so is one in a language that is not
/// the patient's. Where a model begins to speak for somebody else, the reply ends. Marks that cannot be spoken are taken out
/// of a sentence. Without a pack for output nothing of the model's is said. About 30 µs a sentence.
package struct ReplyOutputScreen: OutputScreen {
    private let book: RuleBook
    private let replies: ExemplarBook?
    private let normaliser = Normaliser()

    /// Makes a screen.
    ///
    /// - Parameter replies: What looks at the vectors of sentences; nil where nobody is meant to.
    package init(_ book: RuleBook, replies: ExemplarBook? = nil) {
        self.book = book
        self.replies = replies
    }

    package var listening: Listening {
        switch replies?.head {
        case nil: .off
        case .success: .on
        case .failure(let error): .failed("\(error)")
        }
    }

    /// A sentence that means what no companion may say is left out.
    package func screen(_ sentence: String, vector: [Float]) -> OutputVerdict {
        guard let head = try? replies?.head.get(), vector.count == head.dimension else { return .pass }
        let suspicion = head.suspicion(of: vector)
        return suspicion.isFound ? .drop(rule: "replies.\(suspicion.group)") : .pass
    }

    package func screen(_ sentence: String, answering turn: Turn, _ decision: Decision) -> OutputVerdict {
        let spoken: String
        switch SpokenForm.reading(of: sentence) {
        case .unspeakable(let rule): return .drop(rule: rule)
        case .forged(let rule): return .end(rule: rule)
        case .speech(let text): spoken = text
        }
        let edition = book.edition
        let normal = normaliser.normalise(spoken)
        let matches = matches(in: normal, of: spoken, decision, edition)
        guard let matches else { return .drop(rule: "output.unavailable") }
        if let gravest = gravest(matches) { return verdict(gravest, spoken, turn, decision) }
        if let rule = Reassurance.rule(for: normal, decision) { return .drop(rule: rule) }
        if !decision.languages.isEmpty, SpokenLanguage.isForeign(spoken, to: decision.languages) {
            return .drop(rule: "form.language")
        }
        if decision.isUnannounced, FamilyOffer.isMade(in: spoken) { return .drop(rule: "output.family_offered") }
        return spoken == sentence ? .pass : .rewrite(spoken)
    }

    private struct Found {
        let match: RuleMatch
        let pack: RulePack
    }

    /// The rules that hold; nil when there is no pack for output, or the text could not be weighed.
    ///
    /// What is let through on some ground alone is worded in the sentence's own language, so that no pack of another
    /// language weighs it.
    private func matches(
        in text: NormalisedText,
        of sentence: String,
        _ decision: Decision,
        _ edition: RuleBook.Edition
    ) -> [Found]? {
        let grounds = decision.grounds
        let known = decision.languages.count == 1 ? decision.languages.first : nil
        let spoken = grounds.isEmpty ? nil : known ?? SpokenLanguage.guess(sentence)
        var found: [Found] = []
        var packs = 0
        for (language, cues) in edition.languages {
            let reading = ClauseReading(of: text, with: cues.book)
            for loaded in edition.outputPacks where loaded.pack.language == language {
                if let bound = loaded.pack.grounds {
                    guard language == spoken, !bound.isDisjoint(with: grounds) else { continue }
                }
                guard let matches = loaded.pack.matches(in: text, reading, on: grounds) else { return nil }
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

    /// The language of a line of ours: the patient's where it is known, or that of what was said.
    private func language(of sentence: String, in pack: RulePack, _ turn: Turn, _ decision: Decision) -> String {
        if decision.languages.count == 1, let language = decision.languages.first { return language }
        return pack.language == "en" ? SpokenLanguage.guess(turn.text + " " + sentence) : pack.language
    }

    private func verdict(_ found: Found, _ sentence: String, _ turn: Turn, _ decision: Decision) -> OutputVerdict {
        let (rule, pack) = (found.match.rule, found.pack)
        guard case .verdict(.replace, let name) = rule.consequence else { return .drop(rule: rule.id) }
        let quiet = decision.makesNoOffer ? pack.lines[name + "_unannounced"] : nil
        guard let line = quiet ?? pack.lines[name] else { return .drop(rule: rule.id) }
        let language = language(of: sentence, in: pack, turn, decision)
        return .replace(with: line.reply(in: language), rule: rule.id)
    }
}

extension Decision {
    /// Whether a line of ours must not offer to tell the family: a check is open, whose answer a "yes" would be, or the
    /// person's carer may be the danger.
    fileprivate var makesNoOffer: Bool { isUnannounced || state.check != nil }

    /// Whether the person's carer may be the danger, so that nobody close is said to be told.
    fileprivate var isUnannounced: Bool {
        let categories: [Conversation.Category] = [.abuse, .neglect]
        return categories.contains { category in
            alerts.contains { $0.category == category } || state.check?.category == category
                || state.risk[category.rawValue] != nil
        }
    }
}
