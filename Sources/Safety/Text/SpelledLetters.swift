/// Joins letters spelled one by one: "g i f t c a r d" becomes "gift card", "i r s" becomes "irs".
///
/// Three or more single letters in a row are a spelling. A long spelling is divided into words of a small vocabulary
/// when those cover it.
enum SpelledLetters {
    private static let minimumLetters = 3

    static func joined(_ tokens: [Token]) -> [Token] {
        guard tokens.count >= minimumLetters, hasRun(tokens) else { return tokens }
        var joined: [Token] = []
        var place = 0
        while place < tokens.count {
            let end = runEnd(tokens, from: place)
            if end - place >= minimumLetters, tokens[place..<end].contains(where: { $0.text != tokens[place].text }) {
                joined += words(of: tokens[place..<end])
                place = end
            } else {
                let next = max(end, place + 1)
                joined += tokens[place..<next]
                place = next
            }
        }
        return joined
    }

    private static func hasRun(_ tokens: [Token]) -> Bool {
        var length = 0
        for token in tokens {
            length = isLetter(token) ? length + 1 : 0
            if length >= minimumLetters { return true }
        }
        return false
    }

    private static func runEnd(_ tokens: [Token], from place: Int) -> Int {
        var end = place
        while end < tokens.count, isLetter(tokens[end]), end == place || tokens[end].before == .none { end += 1 }
        return end
    }

    private static func isLetter(_ token: Token) -> Bool {
        token.text.utf8.count == 1 && token.text.utf8.first.map { (0x61...0x7A).contains($0) } == true
    }

    private static func words(of run: ArraySlice<Token>) -> [Token] {
        let letters = run.map(\.text).joined()
        let parts = divided(letters) ?? [letters]
        var words: [Token] = []
        var start = run.startIndex
        for part in parts {
            let end = start + part.count
            let origin = run[start].origin.lowerBound..<run[end - 1].origin.upperBound
            words.append(Token(text: part, origin: origin, before: run[start].before))
            start = end
        }
        return words
    }

    private static let vocabulary: Set<String> = [
        "gift", "card", "cards", "kill", "my", "self", "myself", "want", "to", "die", "help", "me", "i", "fell", "bank",
        "wire", "transfer", "money", "bitcoin", "crypto", "social", "security", "number", "password", "pin", "code",
        "suicide", "overdose", "pills", "scam", "heart", "attack", "stroke", "fire", "chest", "pain", "medicare",
        "account", "end", "life", "hurt", "am", "can", "not", "breathe", "falling", "dying", "bleeding", "call",
        "police",
    ]
    private static let maximumWordLength = 9
    /// The maximum length of a spelling, which bounds the cost for contrived texts.
    private static let maximumSpellingLength = 64

    /// The words of a spelling, the longest first; nil when letters are left over.
    private static func divided(_ letters: String) -> [String]? {
        guard (6...maximumSpellingLength).contains(letters.utf8.count) else { return nil }
        let letters = Array(letters)
        var best: [[String]?] = Array(repeating: nil, count: letters.count + 1)
        best[letters.count] = []
        for start in letters.indices.reversed() {
            for length in stride(from: min(maximumWordLength, letters.count - start), to: 0, by: -1) {
                let word = String(letters[start..<(start + length)])
                guard vocabulary.contains(word), let rest = best[start + length] else { continue }
                best[start] = [word] + rest
                break
            }
        }
        return best[0]
    }
}
