package import Domain
package import Runtime
import Synchronization

/// Speaks with espeak-ng on this machine, with no key and no network, on one thread of its own.
///
/// Twenty words take 10 to 30 ms of a core. The library has one state for the process, so that every instance shares
/// the thread.
package struct EmbeddedSpeech: SpeechEngine {
    private static let threads = WorkerThreads(name: "speech", count: 1, capacity: 128)
    /// Samples a second once the library has started; zero when it cannot start.
    private static let rate = Mutex<Int?>(nil)

    package let name = "espeak-ng/1.51/mp3-48"

    package init() {}

    package func speak(_ speech: Speech, by deadline: Deadline) async throws(SpeechFailure) -> SpeechClip {
        let made: Result<SpeechClip, SpeechFailure>
        do throws(WorkerError) {
            made = try await Self.threads.run(by: deadline) { Self.make(speech, by: deadline) }
        } catch {
            switch error {
            case .full: throw .busy
            case .expired: throw .expired
            case .cancelled: throw .cancelled
            case .stopped: throw .unavailable(reason: "the service is stopping")
            }
        }
        return try made.get()
    }

    private static func make(_ speech: Speech, by deadline: Deadline) -> Result<SpeechClip, SpeechFailure> {
        let rate = rate.withLock { known in
            if let known { return known }
            let started = EspeakVoice.start() ?? 0
            known = started
            return started
        }
        guard rate > 0 else { return .failure(.unavailable(reason: "the data of espeak-ng are missing")) }
        return EspeakVoice.samples(of: speech, rate: rate, by: deadline).flatMap { samples in
            guard samples.contains(where: { $0 != 0 }) else {
                return .failure(.refused(reason: "the words make no sound"))
            }
            guard let bytes = MP3Encoder.file(of: samples, sampleRate: rate) else {
                return .failure(.unavailable(reason: "LAME did not encode the sound"))
            }
            return .success(SpeechClip(mediaType: MP3Encoder.mediaType, bytes: bytes))
        }
    }
}
