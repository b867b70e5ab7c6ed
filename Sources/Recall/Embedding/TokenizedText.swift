/// A text with the engine's tokens for it.
struct TokenizedText {
    /// The text.
    let text: SafeText
    /// The number of tokens, prefix and marks included.
    let count: Int
    /// The tokens; empty when they exceed the model's limit.
    let tokens: [CInt]
}
