/// The clauses of one text in one language, read when they are first asked for: most texts hold nothing to weigh.
final class ClauseReading {
    private let text: NormalisedText
    private let cues: CueBook
    private var analyser: ClauseAnalyser??

    /// Makes a reading that has not begun.
    init(of text: NormalisedText, with cues: CueBook) {
        self.text = text
        self.cues = cues
    }

    /// What reads the clauses; nil when the text has more cues than any speech could have.
    var clauses: ClauseAnalyser? {
        if let analyser { return analyser }
        let made = cues.analyser(of: text)
        analyser = .some(made)
        return made
    }
}
