/// What a sentence must not hold if it is to be read aloud as a companion's own.
package enum SpeechForm {
    /// What is wrong with a sentence's form.
    package enum Fault: String, Sendable, CaseIterable {
        /// A link or an address.
        case link
        /// A telephone number, a card number, or any other run of seven digits or more.
        case number
        /// A role of a transcript, or a marker of a model's own format.
        case role
        /// Code or mark-up.
        case markup
    }

    /// The first thing that is wrong; nil when the sentence can be spoken.
    package static func fault(of sentence: String) -> Fault? {
        let lower = sentence.lowercased()
        if links.contains(where: lower.contains) || lower.contains("@") { return .link }
        if longestRunOfDigits(sentence) >= 7 { return .number }
        if markers.contains(where: lower.contains) || beginsWithRole(lower) { return .role }
        if markup.contains(where: lower.contains) { return .markup }
        return nil
    }

    private static let links = ["http:", "https:", "www.", ".com", ".org", ".net"]
    private static let markers = ["<|", "|>", "[inst", "[/inst", "<s>", "</s>", "<<<", "### ", "<think", "</think"]
    private static let markup = [
        "```", "{{", "}}", "**", "<div", "<p>", "<br", "</", "\\n", "==", "function(", "](", "|--",
    ]
    private static let roles = [
        "system", "user", "assistant", "human", "ai", "model", "caregiver", "patient", "companion",
    ]

    private static func beginsWithRole(_ lower: String) -> Bool {
        roles.contains { lower.hasPrefix("\($0):") || lower.hasPrefix("[\($0)]") || lower.hasPrefix("\($0) :") }
    }

    /// Digits that only spaces, dots, dashes, brackets or a plus divide, as a number is written.
    private static func longestRunOfDigits(_ text: String) -> Int {
        var longest = 0
        var run = 0
        for character in text {
            if character.isNumber {
                run += 1
                longest = max(longest, run)
            } else if !" .-–()+".contains(character) {
                run = 0
            }
        }
        return longest
    }
}
