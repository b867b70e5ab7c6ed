package import Conversation

/// Screens what a model writes, sentence by sentence, before any of it is said.
///
/// First the form: speech has no links, telephone numbers, markup or roles. Then the packs of output rules: advice is replaced
/// by an offer to tell the family; what only the records may say, and promises that nobody will keep, are left out.
/// About 30 µs for a sentence. When the packs could not be weighed the sentence is left out.
package struct ReplyOutputScreen: OutputScreen {
    private let book: RuleBook
    private let lines: SafetyLines
    private let normaliser = Normaliser()

    /// Makes a screen.
    package init(_ book: RuleBook, _ lines: SafetyLines) {
        self.book = book
        self.lines = lines
    }

    package func screen(_ sentence: String, answering turn: Turn, _ decision: Decision) -> OutputVerdict {
        if let fault = SpeechForm.fault(of: sentence) { return .drop(rule: "form.\(fault.rawValue)") }
        let text = normaliser.normalise(sentence)
        let edition = book.edition
        for (language, cues) in edition.cues {
            guard let analyser = cues.book.analyser(of: text) else { return .drop(rule: "output.unweighed") }
            for loaded in edition.packs.values where loaded.pack.use == .output && loaded.pack.language == language {
                guard let matches = loaded.pack.matches(in: text, analyser) else {
                    return .drop(rule: "output.unweighed")
                }
                let holding = matches.filter { $0.level > .none }
                if let verdict = verdict(holding, in: language) { return verdict }
            }
        }
        return .pass
    }

    /// The gravest of what the rules say: a replacement before an omission.
    private func verdict(_ matches: [RuleMatch], in language: String) -> OutputVerdict? {
        var drop: OutputVerdict?
        for match in matches {
            guard case .verdict(let action, let line) = match.rule.consequence else { continue }
            switch action {
            case .replace:
                guard let closing = SafetyLines.Closing(rawValue: line) else { return .drop(rule: match.rule.id) }
                return .replace(with: lines.closing(closing, in: language), rule: match.rule.id)
            case .drop:
                drop = drop ?? .drop(rule: match.rule.id)
            }
        }
        return drop
    }
}
