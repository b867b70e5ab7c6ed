/// What a model's tokens cost, in US dollars for a million of them.
package struct TokenPrice: Sendable, Equatable {
    /// For those that it reads.
    package var prompt: Double
    /// For those that it writes.
    package var completion: Double

    /// Makes a price; nothing unless given.
    package init(prompt: Double = 0, completion: Double = 0) {
        self.prompt = prompt
        self.completion = completion
    }

    /// The cost of a generation in millionths of a dollar.
    package func microdollars(of usage: TokenUsage) -> Int {
        Int((Double(usage.promptTokens) * prompt + Double(usage.completionTokens) * completion).rounded())
    }
}
