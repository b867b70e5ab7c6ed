import Domain
import Runtime
import Synchronization

/// An engine that makes bytes of the words at once, fails as it is told, or waits to be let go.
final class ScriptedSpeech: SpeechEngine {
    private struct State {
        var made: [Speech] = []
        var failure: SpeechFailure?
        var gate: [OneShot<Void>]?
    }

    let name: String
    private let state = Mutex(State())

    init(name: String = "scripted") { self.name = name }

    /// The words that it was asked for.
    var made: [Speech] { state.withLock { $0.made } }

    func fail(_ failure: SpeechFailure?) { state.withLock { $0.failure = failure } }

    /// Lets everything wait that is asked for from now on.
    func hold() { state.withLock { $0.gate = [] } }

    /// Lets everything go.
    func release() {
        let waiting = state.withLock { state in
            defer { state.gate = nil }
            return state.gate ?? []
        }
        for one in waiting { one.settle(()) }
    }

    func speak(_ speech: Speech, by deadline: Deadline) async throws(SpeechFailure) -> SpeechClip {
        let (failure, wait) = state.withLock { state -> (SpeechFailure?, OneShot<Void>?) in
            state.made.append(speech)
            guard state.gate != nil else { return (state.failure, nil) }
            let wait = OneShot<Void>()
            state.gate?.append(wait)
            return (state.failure, wait)
        }
        await wait?.value(ifCancelled: ())
        if let failure { throw failure }
        let bytes = Array("\(speech.voice) \(speech.speed) \(speech.language): \(speech.text)".utf8)
        return SpeechClip(mediaType: "audio/mpeg", bytes: bytes)
    }
}
