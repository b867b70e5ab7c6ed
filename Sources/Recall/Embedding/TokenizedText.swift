/// A text with the tokens that the engine reads for it.
struct TokenizedText {
    /// The text.
    let text: SafeText
    /// How many tokens it has, prefix and marks included.
    let count: Int
    /// The tokens; empty when they are more than the model can read.
    let tokens: [CInt]
}
