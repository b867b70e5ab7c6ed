/// Guesses how many tokens a model will count, without its vocabulary.
///
/// One for each four ASCII bytes and one for each two other scalars of Latin text, one for each of another script; four
/// for the marks around a message. Within a fifth for English and Spanish prompts on byte-pair vocabularies.
enum TokenEstimate {
    /// The tokens of a text.
    static func tokens(in text: String) -> Int {
        var quarters = 0
        for scalar in text.unicodeScalars {
            quarters += scalar.isASCII ? 1 : scalar.value < 0x250 ? 2 : 4
        }
        return (quarters + 3) / 4
    }

    /// The tokens of messages.
    static func tokens(in messages: [RenderedMessage]) -> Int {
        messages.reduce(0) { $0 + tokens(in: $1.text) + 4 }
    }
}
