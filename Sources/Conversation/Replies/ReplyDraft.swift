/// A reply while the model writes it: sentence by sentence through the output screen, up to the cap.
///
/// Nothing is said before its sentence has passed. A sentence that fails is left out, or a line of ours ends the reply.
struct ReplyDraft: Sendable {
    /// What a new piece made of the draft.
    enum Progress: Equatable {
        case wantsMore
        /// The cap is reached, or the screen has ended the reply; what the model says further is not needed.
        case complete
    }

    private let cap: ReplyCap
    private let screen: @Sendable (String) -> OutputVerdict
    private var splitter = SentenceSplitter()
    private var passed: [String] = []
    private var words = 0
    private var heard = 0
    private var replacement: FixedReply?
    private var isEnded = false
    private(set) var rules: [String] = []

    init(cap: ReplyCap, screen: @escaping @Sendable (String) -> OutputVerdict) {
        self.cap = cap
        self.screen = screen
    }

    /// Reads a piece of the model's text.
    mutating func append(_ piece: String) -> Progress {
        for sentence in splitter.append(piece) where take(sentence) == .complete { return .complete }
        guard splitter.remainder.utf8.count <= Self.longestSentence else { return refuseEndless() }
        guard words + WordCount.of(splitter.remainder) > cap.words + Self.lookahead else { return .wantsMore }
        return finish()
    }

    /// Reads the last sentence, at the end of the stream.
    @discardableResult
    mutating func finish() -> Progress {
        if let last = splitter.finish() { _ = take(last) }
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
        let text = cap.applied(to: passed.joined(separator: " "))
        return text.isEmpty ? nil : text
    }

    /// Whether the model said more words than the cap lets through.
    var isOverCap: Bool { replacement == nil && words + WordCount.of(splitter.remainder) > cap.words }

    /// How many words the model has written, said or not.
    var heardWords: Int { heard + WordCount.of(splitter.remainder) }

    /// How far the model may write beyond the cap before the stream is stopped: a cut may still find a later boundary.
    private static let lookahead = 1
    private static let fewestSalvagedWords = 4

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
        case .rewrite(let spoken):
            keep(spoken)
        case .drop(let rule):
            rules.append(rule)
        case .end(let rule):
            rules.append(rule)
            isEnded = true
        case .replace(let line, let rule):
            rules.append(rule)
            replacement = line
            isEnded = true
        }
        return words >= cap.words || isEnded ? .complete : .wantsMore
    }

    private mutating func keep(_ sentence: String) {
        passed.append(sentence)
        words += WordCount.of(sentence)
    }
}
