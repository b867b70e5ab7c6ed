package import Conversation
package import Runtime

/// Stands in for an engine that could not be loaded: every call says why, and exact words are still found.
package struct UnavailableEmbeddings: SentenceEmbedder {
    package let isAvailable = false
    private let reason: String
    package let space: String
    package let dimension: Int

    /// Makes an absent engine.
    ///
    /// - Parameters:
    ///   - reason: What is missing and what brings it, as a sentence for the operator.
    ///   - space: The space of the engine that should be there, so that stored vectors stay valid.
    ///   - dimension: How many numbers a vector of that space has.
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
