package import Runtime

/// Makes sound of words.
package protocol SpeechEngine: Sendable {
    /// Name of the engine and its model, which is a part of a clip's address.
    var name: String { get }

    /// Makes sound of words.
    func speak(_ speech: Speech, by deadline: Deadline) async throws(SpeechFailure) -> SpeechClip
}
