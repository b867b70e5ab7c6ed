package import Conversation
package import Runtime

/// Turns sentences into vectors whose nearness is nearness of meaning.
///
/// Both what is stored and what is asked go through the same call. Vectors have unit length, so that a dot
/// product is their cosine.
package protocol SentenceEmbedder: Sendable {
    /// Which vectors these are: engine, model and treatment. Vectors of two spaces cannot be compared.
    var space: String { get }

    /// How many numbers a vector has.
    var dimension: Int { get }

    /// Whether there is an engine at all; false means that no call will ever succeed.
    var isAvailable: Bool { get }

    /// How many sentences wait to be embedded.
    var waiting: Int { get }

    /// The vector of a sentence; what is beyond the model's limit is left out.
    ///
    /// - Parameter sentence: Any text, also blank.
    /// - Throws: ``RecallError``: not there, too many waiting, too late, or cancelled.
    func vector(of sentence: String, by deadline: Deadline) async throws(RecallError) -> [Float]
}

extension SentenceEmbedder {
    /// None, where nothing is queued on this machine.
    package var waiting: Int { 0 }
}
