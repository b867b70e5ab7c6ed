import Conversation

/// Guesses how many tokens a text has, for accounting when a provider does not say: about four characters each.
enum TokenEstimate {
    /// The tokens of a prompt.
    static func tokens(in prompt: Prompt) -> Int {
        prompt.messages.reduce(0) { $0 + tokens(inCharacters: $1.text.utf8.count) + 4 }
    }

    /// The tokens of that many characters.
    static func tokens(inCharacters count: Int) -> Int {
        (count + 3) / 4
    }
}
