/// Analyses the clauses of one text in one language on first use, because most texts need none.
final class ClauseReading {
    private let text: NormalisedText
    private let cues: CueBook
    private var analyser: ClauseAnalyser??

    init(of text: NormalisedText, with cues: CueBook) {
        self.text = text
        self.cues = cues
    }

    /// The clause analyser; nil when the text has more cues than speech can have.
    var clauses: ClauseAnalyser? {
        if let analyser { return analyser }
        let made = cues.analyser(of: text)
        analyser = .some(made)
        return made
    }
}
