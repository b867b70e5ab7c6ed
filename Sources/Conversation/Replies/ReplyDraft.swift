/// A reply while the model writes it: sentence by sentence through the output screen, up to the cap.
///
/// Nothing is said before its sentence has passed. A sentence that fails is left out, or a line of ours ends the reply: in the
/// place of everything, or after what was given out already. Where a sentence does harm, only those that protect or refer
/// stay beside it; a doubtful one waits for one that does.
struct ReplyDraft: Sendable {
    /// What a new piece made of the draft.
    enum Progress: Equatable {
        case wantsMore
        /// The cap is reached, or the screen has ended the reply; what the model says further is not needed.
        case complete
    }

    private let cap: ReplyCap
    private let screen: @Sendable (String) -> OutputVerdict
    private let protects: @Sendable (String) -> Bool
    private var reader: VerdictReader
    private var splitter = SentenceSplitter()
    /// The sentences of the reply, closed and within the cap, and those that wait.
    private var passed: [Sentence] = []
    private var isHarmful = false
    private var spokenWords = 0
    private var given = 0
    private var words = 0
    private var heard = 0
    private(set) var replacement: CannedReply?
    /// Whether nothing more is said, whatever the model goes on to write.
    private var isEnded = false
    private(set) var rules: [String] = []
    /// What was said so far and what the screen made of it; the first few sentences.
    private(set) var sentences: [ReplyMaking.Sentence] = []

    /// A sentence that may be said, or may be said where another one protects or refers.
    private struct Sentence {
        let text: String
        /// The rule for which it waits; nil for one that may be said.
        var waitsFor: String?
    }

    /// Makes an empty draft.
    ///
    /// - Parameters:
    ///   - expectsVerdict: Whether the model is asked to begin with a verdict.
    ///   - protects: Whether a sentence protects somebody or refers to somebody who can tell.
    init(
        cap: ReplyCap,
        expectsVerdict: Bool = false,
        protects: @escaping @Sendable (String) -> Bool = { _ in false },
        screen: @escaping @Sendable (String) -> OutputVerdict
    ) {
        self.cap = cap
        self.protects = protects
        self.screen = screen
        reader = VerdictReader(isExpected: expectsVerdict)
    }

    /// The verdict that the model began with; nil when it gave none.
    var verdict: ModelVerdict? { reader.verdict }

    /// The sentences that a piece will close, or the end of the stream when there is none, before they are screened.
    func sentences(closedBy piece: String?) -> [String] {
        guard !isEnded else { return [] }
        var (reader, splitter) = (reader, splitter)
        guard let piece else {
            return splitter.append(reader.finish()) + [splitter.finish()].compactMap { $0 }
        }
        return splitter.append(reader.append(piece))
    }

    /// Reads a piece of the model's text.
    mutating func append(_ piece: String) -> Progress {
        read(reader.append(piece))
    }

    private mutating func read(_ words: String) -> Progress {
        guard !words.isEmpty else { return .wantsMore }
        for sentence in splitter.append(words) where take(sentence) == .complete { return .complete }
        guard splitter.remainder.utf8.count <= Self.longestSentence else { return refuseEndless() }
        let most = cap.words + Self.lookahead
        // A word has a byte at least, and another divides it from the next: most pieces need no count.
        guard self.words + (splitter.remainder.utf8.count + 1) / 2 > most,
            self.words + WordCount.of(splitter.remainder) > most
        else { return .wantsMore }
        return finish()
    }

    /// Reads the last sentence, at the end of the stream.
    @discardableResult
    mutating func finish() -> Progress {
        _ = read(reader.finish())
        if let last = splitter.finish() { _ = take(last) }
        settle()
        return .complete
    }

    /// Takes a sentence that was whole when the stream ended too early, for which the splitter still waited.
    ///
    /// A point after a digit may have been about to go on, as in a price.
    mutating func takeLastWholeSentence() {
        let unfinished = splitter.remainder.trimmed
        guard let end = unfinished.last, ".!?…".contains(end), unfinished.dropLast().last?.isNumber == false else {
            return
        }
        for sentence in splitter.append(" ") where take(sentence) == .complete { return }
        settle()
    }

    /// Takes a complete clause from a stream that ended too early; the rest of an unfinished sentence is dropped.
    mutating func salvage() {
        guard passed.isEmpty, replacement == nil, !isEnded else { return }
        let unfinished = splitter.remainder
        guard let end = unfinished.lastIndex(where: { ",;:–—".contains($0) }) else { return }
        let clause = String(unfinished[..<end])
        if WordCount.of(clause) >= Self.fewestSalvagedWords { _ = take(clause) }
    }

    /// Whether a line of ours has taken the place of the model's words.
    var isReplaced: Bool { replacement != nil }

    /// The reply as it stands; nil when no sentence has passed.
    var text: String? {
        if let replacement { return replacement.text }
        let sayable = passed.filter { $0.waitsFor == nil }
        return sayable.isEmpty ? nil : sayable.map(\.text).joined(separator: " ")
    }

    /// The sentences that may be spoken and were not given out yet, up to the first that is held back; they are given out
    /// with this, and stay in the reply.
    mutating func giveOut(unless isHeldBack: (String) -> Bool) -> [String] {
        guard replacement == nil else { return [] }
        let sentences = passed[given...].prefix { $0.waitsFor == nil && !isHeldBack($0.text) }.map(\.text)
        given += sentences.count
        return sentences
    }

    /// Whether the model said more words than the cap lets through.
    var isOverCap: Bool { replacement == nil && words + WordCount.of(splitter.remainder) > cap.words }

    /// How many words the model has written, said or not.
    var heardWords: Int { heard + WordCount.of(splitter.remainder) }

    /// How far the model may write beyond the cap before the stream is stopped: a cut may still find a later boundary.
    private static let lookahead = 1
    private static let fewestSalvagedWords = 4
    /// How many sentences are noted for whoever asks later.
    private static let mostNoted = 8

    /// The most bytes that a sentence may have before its end has been seen: three times what 20 words take.
    ///
    /// It bounds what is read again for each piece.
    private static let longestSentence = 400

    /// Ends the reply at a sentence that does not end, of which nothing is said.
    private mutating func refuseEndless() -> Progress {
        rules.append("form.endless")
        isEnded = true
        _ = splitter.finish()
        return .complete
    }

    private mutating func take(_ sentence: String) -> Progress {
        guard !isEnded else { return .complete }
        heard += WordCount.of(sentence)
        switch screen(sentence) {
        case .pass:
            keep(sentence)
            note(sentence)
        case .rewrite(let spoken):
            keep(spoken)
            note(sentence, spoken: spoken)
        case .drop(let rule):
            rules.append(rule)
            note(sentence, rule: rule)
        case .harm(let rule):
            note(sentence, rule: rule)
            harm(rule)
        case .doubt(let spoken, let rule):
            note(sentence, spoken: spoken == sentence ? nil : spoken, rule: rule)
            keep(spoken, waitingFor: rule)
        case .end(let rule):
            rules.append(rule)
            note(sentence, rule: rule)
            isEnded = true
        case .replace(let line, let rule):
            rules.append(rule)
            note(sentence, spoken: line.text, rule: rule)
            end(with: line)
            isEnded = true
        }
        guard words >= cap.words || isEnded else { return .wantsMore }
        settle()
        return .complete
    }

    private mutating func note(_ sentence: String, spoken: String? = nil, rule: String? = nil) {
        guard sentences.count < Self.mostNoted else { return }
        sentences.append(
            ReplyMaking.Sentence(String(sentence.prefix(Self.longestSentence)), spoken: spoken, rule: rule)
        )
    }

    /// A sentence that goes beyond the cap is left out, unless it is the first: that one is cut.
    private mutating func keep(_ sentence: String, waitingFor doubt: String? = nil) {
        let isExcused = doubt != nil && !isHarmful && passed.contains { $0.waitsFor == nil && protects($0.text) }
        let rule = isExcused ? nil : doubt
        guard !isHarmful || rule == nil && protects(sentence) else {
            if let rule { rules.append(rule) }
            return
        }
        words += WordCount.of(sentence)
        guard passed.isEmpty || words <= cap.words else { return }
        let spoken = cap.applied(to: sentence)
        guard !spoken.isEmpty else { return }
        passed.append(Sentence(text: spoken, waitsFor: rule))
        spokenWords += WordCount.of(spoken)
        guard rule == nil, passed.contains(where: { $0.waitsFor != nil }), protects(sentence) else { return }
        for place in passed.indices { passed[place].waitsFor = nil }
    }

    /// Leaves out what was not given out and neither protects nor refers.
    private mutating func harm(_ rule: String) {
        rules.append(rule)
        isHarmful = true
        let open = passed[given...]
        rules += open.compactMap(\.waitsFor)
        passed = passed[..<given] + open.filter { $0.waitsFor == nil && protects($0.text) }
        spokenWords = passed.reduce(0) { $0 + WordCount.of($1.text) }
        words = spokenWords
    }

    /// Settles what still waits at the end of a reply that neither protects nor refers: it does harm.
    private mutating func settle() {
        guard let rule = passed.lazy.compactMap(\.waitsFor).first else { return }
        passed.removeAll { $0.waitsFor != nil }
        harm(rule)
    }

    /// Ends the reply with a line of ours; what was given out cannot be taken back, and a line that has no room beside it is
    /// left unsaid, like the sentence that it stands for.
    private mutating func end(with line: CannedReply) {
        guard given > 0 else {
            replacement = line
            return
        }
        passed.removeLast(passed.count - given)
        guard spokenWords + WordCount.of(line.text) <= cap.words else { return }
        passed.append(Sentence(text: line.text, waitsFor: nil))
    }
}
