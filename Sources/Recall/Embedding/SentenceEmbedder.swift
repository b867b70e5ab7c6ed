package import Conversation
package import Runtime

/// Turns sentences into vectors; near vectors mean near meanings.
///
/// Stored memories and questions go through the same call. Vectors have unit length, so that a dot product is their
/// cosine.
package protocol SentenceEmbedder: Sendable {
    /// The kind of the vectors: engine, model and treatment.
    ///
    /// Vectors of two spaces cannot be compared.
    var space: String { get }

    /// The number of numbers in a vector.
    var dimension: Int { get }

    /// True if there is an engine; false means that no call will ever succeed.
    var isAvailable: Bool { get }

    /// The number of sentences that wait to be embedded.
    var waiting: Int { get }

    /// Returns the vector of a sentence; text beyond the model's limit is ignored.
    ///
    /// - Parameter sentence: Any text, also blank.
    /// - Throws: ``RecallError``: unavailable, too many waiting, too late, or cancelled.
    func vector(of sentence: String, by deadline: Deadline) async throws(RecallError) -> [Float]
}

extension SentenceEmbedder {
    /// Zero, for an embedder without a queue on this machine.
    package var waiting: Int { 0 }
}
