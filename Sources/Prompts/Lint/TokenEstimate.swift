/// Guesses how many tokens a model will count, without its vocabulary.
///
/// Two for each seven ASCII bytes, one for each other scalar, four for the marks around a message. For the shipped
/// prompts it is within an eighth of what SmolLM2's byte-pair vocabulary counts, in English and in Spanish.
enum TokenEstimate {
    /// The tokens of a text.
    static func tokens(in text: String) -> Int {
        let sevenths = text.unicodeScalars.reduce(0) { $0 + ($1.isASCII ? 2 : 7) }
        return (sevenths + 6) / 7
    }

    /// The tokens of messages.
    static func tokens(in messages: [RenderedMessage]) -> Int {
        messages.reduce(0) { $0 + tokens(in: $1.text) + 4 }
    }
}
