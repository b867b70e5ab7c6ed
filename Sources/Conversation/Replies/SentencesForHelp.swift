import Domain
import Synchronization

/// Which sentences of models send for emergency help, as the output screen saw it when it screened them.
///
/// A reply is weighed as evidence once it is whole; its sentences are not searched again for that.
final class SentencesForHelp: Sendable {
    private let seen = Mutex<[String: Bool]>([:])

    /// Whether sentences send for help; one that the screen has not wholly looked at is missing.
    var known: [String: Bool] { seen.withLock { $0 } }

    /// Takes note of what the screen has seen in a sentence.
    func note(_ screened: ScreenedSentence, of sentence: String) {
        guard let sendsForHelp = screened.sendsForHelp else { return }
        seen.withLock { $0[sentence] = sendsForHelp }
    }
}
