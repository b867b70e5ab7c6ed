package import Runtime

/// Makes sound of words.
package protocol SpeechEngine: Sendable {
    /// The name of the engine and its model, which is part of a clip's address.
    var name: String { get }

    /// Makes sound of words.
    func speak(_ speech: Speech, by deadline: Deadline) async throws(SpeechFailure) -> SpeechClip
}
