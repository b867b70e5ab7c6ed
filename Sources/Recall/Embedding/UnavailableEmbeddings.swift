package import Conversation
package import Runtime

/// Replaces an engine that could not be loaded: every call throws the reason, and exact words are still found.
package struct UnavailableEmbeddings: SentenceEmbedder {
    package let isAvailable = false
    private let reason: String
    package let space: String
    package let dimension: Int

    /// Makes an unavailable engine.
    ///
    /// - Parameters:
    ///   - reason: The missing part and its remedy, as a sentence for the operator.
    ///   - space: The space of the missing engine, so that stored vectors stay valid.
    ///   - dimension: The number of numbers in a vector of that space.
    package init(
        because reason: String,
        space: String = E5Space.name,
        dimension: Int = E5Space.dimension
    ) {
        self.reason = reason
        self.space = space
        self.dimension = dimension
    }

    package func vector(of sentence: String, by deadline: Deadline) async throws(RecallError) -> [Float] {
        throw .engineUnavailable(reason: reason)
    }
}
