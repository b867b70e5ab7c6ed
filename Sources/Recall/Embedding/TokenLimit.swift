/// The most tokens that the embedding engine is given, which bounds what one sentence costs.
///
/// What a sentence costs grows with its tokens. What comes first in a message is kept.
struct TokenLimit {
    /// Scalars per token beyond which nothing is tokenised at all; ordinary prose has between one and six.
    private static let scalarsPerToken = 8

    /// The least limit: room for prefix, marks and a few words.
    static let fewest = 16

    private let maximum: Int

    /// Makes a limit; at least 16 tokens, so that prefix and marks always fit.
    init(_ maximum: Int) {
        precondition(maximum >= Self.fewest, "a token limit below 16 leaves no room for a sentence")
        self.maximum = maximum
    }

    /// The beginning of a text that has at most so many tokens, cut between words where there are any.
    ///
    /// - Parameter tokenized: Gives the tokens of a text, prefix and marks included.
    func cut(_ text: String, tokenizing tokenized: (SafeText) -> TokenizedText) -> TokenizedText {
        var kept = Substring(text.unicodeScalars.prefix(maximum * Self.scalarsPerToken))
        while true {
            let read = tokenized(SafeText(kept))
            guard read.count > maximum, !kept.isEmpty else { return read }
            kept = shortened(kept, to: kept.unicodeScalars.count * maximum / read.count)
        }
    }

    /// The text's first scalars, at least one fewer than it has, without the word that the cut falls in.
    private func shortened(_ text: Substring, to target: Int) -> Substring {
        let scalars = text.unicodeScalars
        let cut = scalars.prefix(max(0, min(target, scalars.count - 1)))
        guard let space = cut.lastIndex(where: { $0.properties.isWhitespace }) else { return Substring(cut) }
        let words = cut[..<space]
        return Substring(words.count * 8 >= cut.count * 7 ? words : cut)
    }
}
