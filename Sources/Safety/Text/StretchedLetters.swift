/// Shortens stretched letters: "heeeelp" becomes "help", "I fellll" becomes "I fell".
///
/// Three or more equal letters become one, or two in words spelled so.
enum StretchedLetters {
    static func shortened(_ tokens: [Token]) -> [Token] {
        guard tokens.contains(where: { isStretched($0.text) }) else { return tokens }
        return tokens.map { token in
            guard isStretched(token.text) else { return token }
            return Token(text: shortened(token.text), origin: token.origin, before: token.before)
        }
    }

    private static func isStretched(_ text: String) -> Bool {
        var previous: UInt8 = 0
        var length = 0
        for byte in text.utf8 {
            length = byte == previous ? length + 1 : 1
            if length >= 3, (0x61...0x7A).contains(byte) { return true }
            previous = byte
        }
        return false
    }

    private static func shortened(_ text: String) -> String {
        let single = collapsed(text, to: 1)
        let double = collapsed(text, to: 2)
        return doubled.contains(double) ? double : doubled.contains(single) || single.count > 1 ? single : text
    }

    private static func collapsed(_ text: String, to kept: Int) -> String {
        var result = ""
        var run: Substring = ""
        for character in text + "\u{0}" {
            if character == run.last {
                run.append(character)
                continue
            }
            result += run.count >= 3 ? String(run.prefix(kept)) : String(run)
            run = Substring(String(character))
        }
        return result
    }

    /// Words that are spelled with a double letter.
    static let doubled: Set<String> = [
        "fell", "fall", "falling", "kill", "killed", "killing", "pill", "pills", "call", "called", "calling", "hell",
        "all", "well", "will", "tell", "still", "ill", "feel", "feeling", "need", "bleed", "bleeding", "too", "soon",
        "good", "floor", "food", "blood", "bleeds", "free", "see", "sleep", "keep", "seen", "been", "stiff", "off",
        "pressure", "missed", "miss", "loss", "lost", "bill", "bills", "hello", "really", "llama", "llame", "three",
        "sweet", "week", "weeks", "room", "door", "poor", "look", "looks", "took", "coffee",
    ]
}

/// Removes fillers, the points of abbreviations, and repeated words.
///
/// "I um I I fell, Dr. Lee" becomes "I fell, Dr Lee".
enum Stutter {
    private static let fillers = WordTable(words: [
        "um", "umm", "uh", "uhh", "uhm", "erm", "hmm", "hm", "mm", "mmm", "mhm",
    ])

    private static let abbreviations = WordTable(words: ["mr", "mrs", "ms", "dr", "dra", "sr", "sra", "st", "vs"])

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
