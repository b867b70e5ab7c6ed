/// The cues of one language, compiled.
struct CueBook: Sendable {
    private let patterns: PatternSet
    private let cueOfPattern: [Cue]

    /// Compiles cues from their patterns.
    init(_ cues: [(cue: Cue, pattern: PhrasePattern)]) throws(PhraseDatabaseError) {
        patterns = try PatternSet(cues.map(\.pattern))
        cueOfPattern = cues.map(\.cue)
    }

    /// Makes an analyser of a text; nil when the text has more cues than speech can have.
    func analyser(of text: NormalisedText) -> ClauseAnalyser? {
        guard let matches = patterns.matches(in: text) else { return nil }
        var cues: [Cue: [Range<Int>]] = [:]
        for match in matches { cues[cueOfPattern[match.pattern], default: []].append(match.words) }
        return ClauseAnalyser(text, cues: cues)
    }
}
