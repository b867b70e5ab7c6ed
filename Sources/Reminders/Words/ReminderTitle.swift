/// What a reminder is of: the words that say nothing of when.
struct ReminderTitle {
    /// The most words of a title; more is a story, not a reminder.
    private static let maximumDiffWords = 14
    /// The most words of a title that nothing asks for.
    private static let longestBareTitle = 9
    /// What is written with a full stop that ends no sentence.
    private static let abbreviations: Set<String> = ["dr", "dra", "mr", "mrs", "ms", "st", "sr", "sra"]

    private let words: MarkedWords
    private let text: String
    private let vocabulary: TitleVocabulary
    private let pieces: [Range<Int>]
    private let medicines: [String]

    init(
        _ words: MarkedWords,
        of text: String,
        _ language: ReminderLanguage,
        companion: String,
        medicines: [String]
    ) {
        self.words = words
        self.text = text
        self.medicines = medicines
        let vocabulary = TitleVocabulary.of(language)
        self.vocabulary = vocabulary
        let name = SpokenToken.all(in: companion).map(\.text)
        var pieces: [Range<Int>] = []
        for piece in words.pieces.map({ Self.unnamed($0, words.tokens, name) }) {
            if let piece = Self.trimmed(piece, words.tokens, vocabulary, isFirst: pieces.isEmpty) {
                pieces.append(piece)
            }
        }
        self.pieces = pieces
    }

    /// Whether the words ask for a reminder at all, rather than telling or asking something.
    var asksForOne: Bool {
        let said = words.tokens.filter { !$0.isSign }
        guard let first = said.first?.accented else { return false }
        if said.contains(where: { vocabulary.past.contains($0.accented) }) { return false }
        if vocabulary.cancels(said.map(\.text)) { return false }
        let requests = words.found.filter { $0.marks == [.request] }.map { words.tokens[$0.range].map(\.text) }
        if requests.contains(where: { !vocabulary.asking.isDisjoint(with: $0) }) { return true }
        if words.tokens.contains(where: { $0.text == "?" }) || vocabulary.questions.contains(first) { return false }
        let opening = words.found.first { mark in
            mark.marks != [.request] || !vocabulary.polite.contains(words.tokens[mark.range.lowerBound].text)
        }
        if let opening, opening.marks == [.request], (pieces.first?.lowerBound ?? .max) > opening.range.lowerBound {
            return true
        }
        if vocabulary.tellers.contains(first) { return false }
        return kind != .other || words.marks.contains { $0 != .request }
    }

    /// True if they may ask for one in words that are not understood, so that it must be asked.
    ///
    /// Only a tale of what is over, a question of something else, and words without any time or wish are none.
    var mayAskForOne: Bool {
        let said = words.tokens.filter { !$0.isSign }
        let plain = said.map(\.text)
        guard let first = said.first?.accented else { return false }
        let hasTime = words.marks.contains { $0 != .request } || hasUnreadTime(beside: true)
        if vocabulary.cancels(plain), !vocabulary.wantsACall(plain) {
            return hasTime && (kind != .other || !vocabulary.reminders.isDisjoint(with: plain))
        }
        if vocabulary.wantsToBeTold(plain) { return hasTime || vocabulary.asksPlainly(plain) }
        if vocabulary.mustNotBeForgotten(plain) { return true }
        if vocabulary.questions.contains(first) { return hasTime && vocabulary.asksOfSomebody(plain) }
        return sentences.contains(where: mayAsk) || words.marks.contains(where: \.isRepetition)
    }

    /// The sentences, as runs of words.
    private var sentences: [Range<Int>] {
        var sentences: [Range<Int>] = []
        var start = 0
        for (place, token) in words.tokens.enumerated() where [".", "!", "?", ";"].contains(token.text) {
            sentences.append(start..<(place + 1))
            start = place + 1
        }
        return start < words.tokens.count ? sentences + [start..<words.tokens.count] : sentences
    }

    /// True if a sentence names a time, and neither asks nor tells of what is over or of how things are.
    private func mayAsk(_ sentence: Range<Int>) -> Bool {
        let said = words.tokens[sentence].map(\.accented)
        let isMarked = words.found.contains { $0.marks != [.request] && $0.range.overlaps(sentence) }
        guard isMarked || hasUnreadTime(beside: true, in: sentence), !said.contains("?") else { return false }
        guard !vocabulary.isLongPast(said), !said.contains(where: vocabulary.past.contains) else { return false }
        guard let first = said.first(where: { $0.first?.isLetter == true }), vocabulary.tellers.contains(first) else {
            return true
        }
        return vocabulary.wishes(words.tokens[sentence].map(\.text)) || kind == .medicine
    }

    /// True if a word names a time that was not read; beside a wish to be told something, a condition is one too.
    private func hasUnreadTime(beside isWished: Bool, in places: Range<Int>? = nil) -> Bool {
        (places ?? words.tokens.indices).contains { place in
            let (word, before) = (words.tokens[place].text, words.tokens.at(place - 1)?.text ?? "")
            return vocabulary.isUnreadTime(word, after: before) || vocabulary.months.contains(word)
                || isWished && vocabulary.doubts.conditions.contains(word)
        }
    }

    /// The title as it is kept.
    func title() throws(ReminderQuestion) -> String {
        guard !isOfSeveral else { throw .oneAtATime }
        guard isPlain else { throw .unclear }
        let tokens = pieces.flatMap { words.tokens[$0] }
        for piece in pieces { try check(piece) }
        let isLonely = pieces.dropFirst().contains { words.tokens[$0].allSatisfy { vocabulary.parts[$0.text] != nil } }
        let isBroken = isLonely || vocabulary.endsWithPart(tokens.map(\.text))
        if isBroken { throw .unclear }
        let places = pieces.flatMap { Array($0) }
        let kept = vocabulary.withoutTaking(places.map { words.tokens[$0].text }, isMedicine: kind == .medicine)
        let said = places.dropFirst(kept)
        guard !said.isEmpty else { throw .what }
        guard tokens.count <= Self.maximumDiffWords, !isStory(tokens) else { throw .unclear }
        let title = pieces.compactMap { piece -> String? in
            let left = piece.clamped(to: (said.first ?? 0)..<Int.max)
            guard !left.isEmpty else { return nil }
            let slice =
                words.tokens[left.lowerBound].range.lowerBound..<words.tokens[left.upperBound - 1].range.upperBound
            return vocabulary.addressed(String(text[slice]))
        }
        .joined(separator: " ")
        guard title.unicodeScalars.count <= ReminderWords.longestTitle else { throw .unclear }
        return title
    }

    /// True if nothing that is left still asks the listener for something, and no one reminder that there is is meant.
    private var isPlain: Bool {
        guard !vocabulary.meansOneThatIs(words.tokens.map(\.text)) else { return false }
        let isAsked = words.found.contains { $0.marks == [.request] && !vocabulary.isPolite(words.tokens[$0.range]) }
        return isAsked || !vocabulary.asksAnew(pieces.flatMap { words.tokens[$0].map(\.text) })
    }

    /// What it is for.
    var kind: ReminderKind {
        let said = pieces.flatMap { words.tokens[$0].map(\.text) }
        let isKnown = medicines.contains { medicine in
            let name = SpokenToken.all(in: medicine).map(\.text)
            return !name.isEmpty && said.indices.contains { said[$0...].starts(with: name) }
        }
        return isKnown && !vocabulary.isErrand(said) ? .medicine : vocabulary.kind(of: said)
    }

    /// What the title tells of the half of the day.
    var hints: ScheduleHints { vocabulary.hints(of: pieces.flatMap { words.tokens[$0].map(\.text) }) }

    /// Whether several times stand with words of their own, as in "pills at eight and call Tom at three".
    private var isOfSeveral: Bool {
        let times = words.found.filter { $0.marks.contains(where: \.isTimeOfDay) }
        guard let first = times.first, let last = times.last, times.count > 1 else { return false }
        return pieces.count > 1
            || pieces.contains { $0.lowerBound >= first.range.upperBound && $0.upperBound <= last.range.lowerBound }
    }

    /// Refuses what is left of the words when it still says something of when, or breaks off.
    private func check(_ piece: Range<Int>) throws(ReminderQuestion) {
        for place in piece {
            let token = words.tokens[place]
            let before = words.tokens.at(place - 1)?.text ?? ""
            let isAbbreviated = token.text == "." && Self.abbreviations.contains(before)
            if [".", ";", "?", "!", ":", "/"].contains(token.text), !isAbbreviated { throw .unclear }
            if vocabulary.isTime(token.text, after: before, isFirst: place == piece.lowerBound)
                || vocabulary.isUnreadTime(token.text, after: before)
            {
                throw .unclear
            }
            if token.isDigits || vocabulary.numbers.contains(token.text) {
                let isLast = place == piece.upperBound - 1
                if isBetweenNumbers(place + 1) { throw .time }
                if isLast || vocabulary.beforeTimes.contains(before) { throw .time }
            }
        }
    }

    /// True if a word and the number after it make a time of day of the number before.
    private func isBetweenNumbers(_ place: Int) -> Bool {
        guard let word = words.tokens.at(place), let next = words.tokens.at(place + 1) else { return false }
        return vocabulary.doubts.betweenNumbers.contains(word.text)
            && (next.isDigits || vocabulary.numbers.contains(next.text))
    }

    /// True if words without a request tell a story, or words with one go on to tell one.
    private func isStory(_ tokens: [SpokenToken]) -> Bool {
        let isAsked = words.found.contains { $0.marks == [.request] }
        return tokens.dropFirst().contains { vocabulary.doubts.story.contains($0.text) }
            || !isAsked && tokens.count > Self.longestBareTitle
    }

    /// A run of words without the companion's name at its front.
    private static func unnamed(_ piece: Range<Int>, _ tokens: [SpokenToken], _ companion: [String]) -> Range<Int> {
        let after = piece.lowerBound + companion.count
        guard !companion.isEmpty, after <= piece.upperBound, tokens.hold(companion, at: piece.lowerBound),
            piece.lowerBound == 0 || after == piece.upperBound || tokens[after].isSign
        else { return piece }
        return after..<piece.upperBound
    }

    /// A run of words without what only joins it to the rest; nil when nothing is left.
    private static func trimmed(
        _ piece: Range<Int>,
        _ tokens: [SpokenToken],
        _ vocabulary: TitleVocabulary,
        isFirst: Bool
    ) -> Range<Int>? {
        var piece = piece
        let before = isFirst ? vocabulary.before : vocabulary.joining
        while let first = piece.first, tokens[first].isSign || before.contains(tokens[first].text) {
            piece = (first + 1)..<piece.upperBound
        }
        while let last = piece.last, tokens[last].isSign || vocabulary.after.contains(tokens[last].text) {
            piece = piece.lowerBound..<last
        }
        return piece.isEmpty ? nil : piece
    }
}
