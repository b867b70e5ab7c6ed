/// Removes fillers, the points of abbreviations, and repeated words.
///
/// "I um I I fell, Dr. Lee" becomes "I fell, Dr Lee".
enum Stutter {
    private static let fillers: Set<String> = ["um", "umm", "uh", "uhh", "uhm", "erm", "hmm", "hm", "mm", "mmm", "mhm"]

    private static let abbreviations: Set<String> = ["mr", "mrs", "ms", "dr", "dra", "sr", "sra", "st", "vs"]

    static func leftOut(_ tokens: [Token]) -> [Token] {
        guard isNeeded(tokens) else { return tokens }
        var kept: [Token] = []
        var owed = NormalisedText.Boundary.none
        for token in tokens {
            let isAbbreviated = token.before == .stop && kept.last.map { abbreviations.contains($0.text) } == true
            let before = max(isAbbreviated ? .none : token.before, owed)
            if fillers.contains(token.text) {
                owed = kept.isEmpty ? .none : before
                continue
            }
            owed = .none
            if let last = kept.last, last.text == token.text, !isNumber(token), before < .stop {
                kept[kept.count - 1].origin = last.origin.lowerBound..<token.origin.upperBound
                continue
            }
            kept.append(Token(text: token.text, origin: token.origin, before: before))
        }
        return kept
    }

    private static func isNeeded(_ tokens: [Token]) -> Bool {
        var previous = ""
        for token in tokens {
            if token.text == previous || fillers.contains(token.text) || abbreviations.contains(previous) {
                return true
            }
            previous = token.text
        }
        return false
    }

    private static func isNumber(_ token: Token) -> Bool {
        token.text.utf8.first.map { (0x30...0x39).contains($0) || $0 == 0x24 } ?? false
    }
}
