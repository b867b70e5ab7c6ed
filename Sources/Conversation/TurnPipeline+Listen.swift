import Runtime
import Synchronization

/// The vectors of a reply's sentences, each made before its sentence is screened.
///
/// Some 3 ms a sentence, and only for those whose words leave a doubt. A vector that cannot be had in time leaves its
/// sentence to be screened by its words; the failure is kept for `degraded`.
final class SentenceVectors: Sendable {
    /// The most time that the vectors of a reply take together.
    private static let patience = Duration.milliseconds(150)

    private struct State {
        var known: [String: [Float]] = [:]
        var failure: String?
        var began: Instant?
        var spent = Duration.zero
    }

    private let output: any OutputScreen
    private let recall: any MemoryRecall
    private let time: any TimeSource
    private let state = Mutex(State())

    /// Makes none yet.
    init(for output: any OutputScreen, by recall: any MemoryRecall, time: any TimeSource) {
        (self.output, self.recall, self.time) = (output, recall, time)
    }

    /// The vector of a sentence; empty when none was made.
    subscript(sentence: String) -> [Float] { state.withLock { $0.known[sentence] ?? [] } }

    /// Why a vector that was wanted is missing; nil when none is.
    var failure: String? { state.withLock { $0.failure } }

    /// When the first vector was asked for; nil when none was.
    var began: Instant? { state.withLock { $0.began } }

    /// How many vectors were made.
    var count: Int { state.withLock { $0.known.count } }

    /// Makes the vectors of the sentences that want one.
    func prepare(_ sentences: [String]) async {
        for sentence in sentences where output.wantsVector(of: sentence) {
            let (isKnown, spent) = state.withLock { ($0.known[sentence] != nil || $0.failure != nil, $0.spent) }
            if isKnown { continue }
            let began = time.now
            let outcome: Result<[Float], RecallError>
            do throws(RecallError) {
                let deadline = Deadline(after: Self.patience - spent, from: began)
                outcome = .success(try await recall.vector(of: sentence, by: deadline))
            } catch {
                outcome = .failure(error)
            }
            let took = time.now.since(began)
            state.withLock { state in
                state.began = state.began ?? began
                state.spent += took
                switch outcome {
                case .success(let vector): state.known[sentence] = vector
                case .failure(let error): state.failure = "\(error)"
                }
            }
        }
    }
}

extension TurnPipeline {
    /// What makes the vectors of a turn's reply; nil where the message itself has none.
    func sentenceVectors(_ opened: OpenedTurn) -> SentenceVectors? {
        guard !opened.recollection.vector.isEmpty else { return nil }
        return SentenceVectors(for: parts.output, by: parts.recall, time: time)
    }

    /// Notes in the trace what the vectors took, and names the screen in `degraded` when one was missing.
    func account(for vectors: SentenceVectors?, in draft: inout Draft, of turn: Turn) {
        guard let vectors, let began = vectors.began else { return }
        if let failure = vectors.failure {
            draft.degraded.append(.screen)
            metrics.screenFailures.add(1, "replies")
            turn.trace.record("listen", from: began, .degraded, note: failure)
            log.warning("stage_degraded", "stage" ~ "listen", "reason" ~ failure, "message_id" ~ turn.id.description)
        } else {
            turn.trace.record("listen", from: began, note: "\(vectors.count) vectors")
        }
    }
}
