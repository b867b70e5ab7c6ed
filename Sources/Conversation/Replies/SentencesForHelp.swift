import Domain
import Synchronization

/// Stores whether sentences send for emergency help, as the output screen saw it.
///
/// The evidence of a complete reply uses these results, so that its sentences are not searched again.
final class SentencesForHelp: Sendable {
    private let seen = Mutex<[String: Bool]>([:])

    /// True for each sentence that sends for help; a sentence that was not searched completely is missing.
    var known: [String: Bool] { seen.withLock { $0 } }

    /// Stores what the screen has seen in a sentence.
    func note(_ screened: ScreenedSentence, of sentence: String) {
        guard let sendsForHelp = screened.sendsForHelp else { return }
        seen.withLock { $0[sentence] = sendsForHelp }
    }
}
