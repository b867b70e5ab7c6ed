/// The price of a model's tokens, in US dollars for a million.
package struct TokenPrice: Sendable, Equatable {
    /// The price of tokens that it reads.
    package var prompt: Double
    /// The price of tokens that it writes.
    package var completion: Double

    /// Makes a price, by default zero.
    package init(prompt: Double = 0, completion: Double = 0) {
        self.prompt = prompt
        self.completion = completion
    }

    /// Returns the cost of a generation in millionths of a dollar.
    package func microdollars(of usage: TokenUsage) -> Int {
        Int((Double(usage.promptTokens) * prompt + Double(usage.completionTokens) * completion).rounded())
    }
}
