/// The tokens used by a generation.
package struct TokenUsage: Sendable, Equatable, Codable {
    /// Tokens read.
    package var promptTokens: Int
    /// Tokens written.
    package var completionTokens: Int
    /// True if the numbers are an estimate rather than the provider's count.
    package var isEstimate: Bool

    /// Makes a usage, by default zero.
    package init(promptTokens: Int = 0, completionTokens: Int = 0, isEstimate: Bool = false) {
        self.promptTokens = promptTokens
        self.completionTokens = completionTokens
        self.isEstimate = isEstimate
    }
}

extension TokenUsage {
    /// Adds two usages; the sum is an estimate if either is one.
    package static func + (left: TokenUsage, right: TokenUsage) -> TokenUsage {
        TokenUsage(
            promptTokens: left.promptTokens + right.promptTokens,
            completionTokens: left.completionTokens + right.completionTokens,
            isEstimate: left.isEstimate || right.isEstimate
        )
    }
}
