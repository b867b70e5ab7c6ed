import Conversation

/// Guesses how many tokens a text has, for accounting when a provider does not say: about four bytes each.
enum TokenEstimate {
    /// The tokens of a prompt.
    static func tokens(in prompt: Prompt) -> Int {
        prompt.messages.reduce(0) { $0 + tokens(inBytes: $1.text.utf8.count) + 4 }
    }

    /// The tokens of that many bytes of UTF-8.
    static func tokens(inBytes count: Int) -> Int {
        (count + 3) / 4
    }
}
