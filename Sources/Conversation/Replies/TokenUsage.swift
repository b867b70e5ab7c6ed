/// What a generation used.
package struct TokenUsage: Sendable, Equatable, Codable {
    /// Tokens read.
    package var promptTokens: Int
    /// Tokens written.
    package var completionTokens: Int
    /// Whether the provider counted them; otherwise they are our estimate.
    package var isEstimate: Bool

    /// Makes a usage; nothing unless given.
    package init(promptTokens: Int = 0, completionTokens: Int = 0, isEstimate: Bool = false) {
        self.promptTokens = promptTokens
        self.completionTokens = completionTokens
        self.isEstimate = isEstimate
    }
}

extension TokenUsage {
    /// Both together; an estimate if either is one.
    package static func + (left: TokenUsage, right: TokenUsage) -> TokenUsage {
        TokenUsage(
            promptTokens: left.promptTokens + right.promptTokens,
            completionTokens: left.completionTokens + right.completionTokens,
            isEstimate: left.isEstimate || right.isEstimate
        )
    }
}
