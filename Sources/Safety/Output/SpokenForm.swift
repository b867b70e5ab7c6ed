import Runtime

/// Tells speech from what a model writes for a screen or for itself: mark-up, code, addresses, forged roles.
///
/// A sentence is brought to the form in which it can be read aloud, or found to have none.
package enum SpokenForm {
    /// What a sentence is when it is read aloud.
    package enum Reading: Sendable, Equatable {
        /// It can be spoken in this form, which differs from the original where marks were taken out.
        case speech(String)
        /// It cannot be spoken: the reason is a rule's name.
        case unspeakable(rule: String)
    }

    /// Reads a sentence; linear in its length.
    package static func reading(of sentence: String) -> Reading {
        if let rule = forgery(in: sentence) { return .unspeakable(rule: rule) }
        if isPlain(sentence), !isNumbered(sentence) { return plainReading(of: sentence) }
        let text = withoutMarks(withoutLabel(sentence))
        guard text.contains(where: \.isLetter) else { return .unspeakable(rule: "form.no_words") }
        if text.split(separator: " ").contains(where: { $0.count > longestWord }) {
            return .unspeakable(rule: "form.long_word")
        }
        let letters = text.unicodeScalars.filter(\.properties.isAlphabetic)
        if letters.contains(where: { !isLatin($0) }) { return .unspeakable(rule: "form.script") }
        let phone = text.unicodeScalars.filter(\.isDigit).count
        return phone >= fewestPhoneDigits ? .unspeakable(rule: "form.number") : .speech(text)
    }

    private static let longestWord = 40
    /// Seven digits in one sentence are a telephone, account or card number; no year and no time is so long.
    private static let fewestPhoneDigits = 7

    private static let forgeries = [
        "<|", "|>", "[inst", "[/inst", "<<sys", "</s>", "<s>", "```", "###", "{\"", "\"}", "</", "/>", "==>", "http://",
        "https://", "www.", "\\n", "<br", "<p>", "<div", "function(", "def ", "import ", "print(", "select *", "$(",
        "${",
        "{{", "}}", "begin_of_text", "end_of_text", "im_start", "im_end", "eot_id",
    ]
    private static let roles = ["system", "user", "human", "patient", "developer", "tool", "function"]

    /// The signs that every mark-up in the list has, but for those that are searched for in any case.
    private static let signs: Set<UInt8> = Set("<>|[]{}`#(*_/\\$".utf8)
    private static let signless = ["www.", "def ", "import "]

    private static func forgery(in sentence: String) -> String? {
        let lower = sentence.lowercased()
        let looked = lower.utf8.contains(where: signs.contains) ? forgeries : signless
        if looked.contains(where: lower.holds) { return "form.markup" }
        guard lower.utf8.contains(UInt8(ascii: ":")) else { return nil }
        let label = lower.prefix { $0 != ":" }.trimmingPrefix { !$0.isLetter }
        guard label.count < lower.count, label.count < 24 else { return nil }
        return roles.contains { label == $0 || label.hasSuffix(" \($0)") } ? "form.role" : nil
    }

    /// "Assistant: Hello" and "Milo: Hello" are a reply with its speaker's name.
    private static func withoutLabel(_ sentence: String) -> Substring {
        guard sentence.utf8.contains(UInt8(ascii: ":")), let colon = sentence.firstIndex(of: ":") else {
            return sentence[...]
        }
        let label = sentence[..<colon].filter { $0.isLetter || $0 == " " }.lowercased()
        let isLabel = ["assistant", "ai", "companion", "reply", "response", "answer", "milo", "bot"].contains(label)
        return isLabel ? sentence[sentence.index(after: colon)...] : sentence[...]
    }

    /// A sentence of plain words and marks, as most are: nothing has to be taken out.
    private static func isPlain(_ sentence: String) -> Bool {
        var previous = UInt8(ascii: " ")
        for byte in sentence.utf8 {
            let isLetter = (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            let isMark = ",.?!'".utf8.contains(byte)
            let isDigit = (0x30...0x39).contains(byte)
            let isSpace = byte == 0x20
            guard isLetter || isMark || isDigit || isSpace, !(previous == 0x20 && (isSpace || isMark)) else {
                return false
            }
            previous = byte
        }
        return previous != 0x20
    }

    /// "1. Hello": a list's number is taken out.
    private static func isNumbered(_ sentence: String) -> Bool { sentence.utf8.first.map(isDigit) ?? false }

    private static func letters(in sentence: String) -> Bool {
        sentence.utf8.contains { (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// A plain sentence is read byte by byte.
    private static func plainReading(of sentence: String) -> Reading {
        guard letters(in: sentence) else { return .unspeakable(rule: "form.no_words") }
        var length = 0
        for byte in sentence.utf8 {
            length = byte == 0x20 ? 0 : length + 1
            if length > longestWord { return .unspeakable(rule: "form.long_word") }
        }
        let digits = sentence.utf8.count(where: isDigit)
        return digits >= fewestPhoneDigits ? .unspeakable(rule: "form.number") : .speech(sentence)
    }

    private static func withoutMarks(_ sentence: Substring) -> String {
        var text = String.UnicodeScalarView()
        for scalar in sentence.unicodeScalars {
            if isSpoken(scalar) { text.append(scalar) } else { text.append(" ") }
        }
        var words = String(text).split(whereSeparator: \.isWhitespace)
        if let first = words.first, ["-", "•", "–", "—"].contains(first) { words.removeFirst() }
        if let first = words.first, first.hasSuffix("."), Int(first.dropLast()) != nil { words.removeFirst() }
        return tightened(words.joined(separator: " "))
    }

    private static func tightened(_ text: String) -> String {
        var tight = ""
        for character in text {
            if ".,!?;:".contains(character), tight.last == " " { tight.removeLast() }
            tight.append(character)
        }
        return tight
    }

    private static func isSpoken(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.value >= 0x20 && !"*_`#~|\\<>[]{}^=".unicodeScalars.contains(scalar) }
        switch scalar.properties.generalCategory {
        case .otherSymbol, .modifierSymbol, .format, .control, .surrogate, .privateUse, .unassigned, .enclosingMark:
            return false
        default:
            return !scalar.properties.isEmojiPresentation && !scalar.properties.isVariationSelector
        }
    }

    private static func isLatin(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x250 || (0x1E00...0x1EFF).contains(scalar.value) || (0x2C60...0x2C7F).contains(scalar.value)
    }
}

extension Substring {
    fileprivate func trimmingPrefix(while isDropped: (Character) -> Bool) -> Substring {
        self[(firstIndex { !isDropped($0) } ?? endIndex)...]
    }
}
