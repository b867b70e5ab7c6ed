import Runtime
import Synchronization

/// One call of a turn while it is made: reads the model's stream into a draft, and can be stopped at any time.
final class ModelAttempt: Sendable {
    private struct State {
        var draft: ReplyDraft
        var generation: (any Generation)?
        var running: Task<ModelLadder.Event, Never>?
        var firstAt: Instant?
        var lastAt: Instant?
        var endedAt: Instant?
        var isComplete = false
        var stopReason: ModelLadder.StopReason?
        var failure: ModelError?

        /// Whether its time ran out, by the model's own clock or the ladder's.
        var isTooSlow: Bool {
            if let stopReason { return !stopReason.isHarmless }
            if case .timedOut = failure { return true }
            return false
        }
    }

    let call: LadderCall
    let model: any LanguageModel
    private let prompt: Prompt
    private let deadline: Deadline
    private let time: any TimeSource
    /// Says a sentence as soon as it may be spoken; nil when nobody listens before the end.
    private let say: (@Sendable (String) -> Void)?
    /// Whether a sentence waits for the end of the reply, given the model's verdict.
    private let isHeldBack: @Sendable (String, ModelVerdict?) -> Bool
    /// Makes the vectors of sentences that are about to be screened; nil when none are made.
    private let vectors: SentenceVectors?
    private let state: Mutex<State>

    init(
        _ call: LadderCall,
        _ model: any LanguageModel,
        _ prompt: Prompt,
        _ draft: ReplyDraft,
        by deadline: Deadline,
        time: any TimeSource,
        vectors: SentenceVectors? = nil,
        saying say: (@Sendable (String) -> Void)? = nil,
        unless isHeldBack: @escaping @Sendable (String, ModelVerdict?) -> Bool = { _, _ in false }
    ) {
        self.call = call
        self.model = model
        self.prompt = prompt
        self.deadline = deadline
        self.time = time
        self.vectors = vectors
        self.say = say
        self.isHeldBack = isHeldBack
        state = Mutex(State(draft: draft))
    }

    /// What has been heard; nil before the first useful piece.
    var progress: LadderProgress? {
        state.withLock { state in
            guard let firstAt = state.firstAt, let lastAt = state.lastAt else { return nil }
            return LadderProgress(firstAt: firstAt, lastAt: lastAt, words: state.draft.heardWords)
        }
    }

    /// The words that may be said; nil when there are none.
    var text: String? { state.withLock { $0.draft.text } }

    /// Whether the reply was whole and held no word.
    var isSilent: Bool { state.withLock { $0.failure == nil && $0.draft.text == nil && $0.draft.rules.isEmpty } }

    /// Whether those words are a line of ours, with which the output screen has ended the reply.
    var isReplaced: Bool { state.withLock { $0.draft.isReplaced } }

    /// The canned reply with which the output screen has ended the reply; nil when the words are the model's.
    var replacement: CannedReply? { state.withLock { $0.draft.replacement } }

    /// The verdict that the model began with; nil when it gave none.
    var verdict: ModelVerdict? { state.withLock { $0.draft.verdict } }

    /// The rules of the output screen that kept words back.
    var rules: [String] { state.withLock { $0.draft.rules } }

    /// What was said, sentence by sentence, and what the output screen made of it.
    var sentences: [ReplyMaking.Sentence] { state.withLock { $0.draft.sentences } }

    /// What a trial looks for in it; a call that was stopped because another was quicker was not too slow.
    var signals: TrialSignals {
        state.withLock { state in
            var signals: TrialSignals = []
            if state.isTooSlow { signals.insert(.missedDeadline) }
            if state.draft.isOverCap { signals.insert(.overCap) }
            if !state.draft.rules.isEmpty { signals.insert(.screened) }
            return signals
        }
    }

    /// Why there are no more words; nil when the reply is whole.
    var failure: ModelError? { state.withLock { $0.failure } }

    /// When its first useful piece came; nil when none did.
    var firstAt: Instant? { state.withLock { $0.firstAt } }

    /// When it was over; nil while it is not.
    var endedAt: Instant? { state.withLock { $0.endedAt } }

    /// Why the call was stopped; nil when it was not.
    var stopReason: ModelLadder.StopReason? { state.withLock { $0.stopReason } }

    /// What it used; an estimate where the provider was asked and has not said.
    var usage: TokenUsage {
        let (generation, failure) = state.withLock { ($0.generation, $0.failure) }
        if let generation { return generation.usage }
        switch failure {
        case .cancelled, .timedOut, nil: return TokenUsage(promptTokens: prompt.estimatedTokens, isEstimate: true)
        default: return TokenUsage()
        }
    }

    /// Asks, and reads up to the first useful piece or the end.
    func open() async -> ModelLadder.Event {
        await run { await $0.begin() }
    }

    /// Reads the rest.
    func finish() async -> ModelLadder.Event {
        await run { await $0.read(upToFirstPiece: false) }
    }

    /// Runs in a task of its own, which ``stop(_:)`` can cancel without cancelling the turn's other calls.
    private func run(_ body: @escaping @Sendable (ModelAttempt) async -> ModelLadder.Event) async -> ModelLadder.Event {
        let task = Task(executorPreference: EventLoop.current) { [self] in await body(self) }
        let isStopped = state.withLock { state in
            state.running = task
            return state.stopReason != nil
        }
        if isStopped { task.cancel() }
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            stop(.abandoned)
        }
    }

    /// Ends the stream at once; nothing more is paid for.
    func stop(_ reason: ModelLadder.StopReason) {
        let (running, generation) = state.withLock { state in
            if state.stopReason == nil { state.stopReason = reason }
            return (state.running, state.generation)
        }
        running?.cancel()
        generation?.stop()
    }

    private func begin() async -> ModelLadder.Event {
        do throws(ModelError) {
            let generation = try await model.generate(prompt, by: deadline)
            let isStopped = state.withLock { state in
                state.generation = generation
                return state.stopReason != nil
            }
            if isStopped { generation.stop() }
        } catch {
            return ended(with: error)
        }
        return await read(upToFirstPiece: true)
    }

    /// Reads until the first useful piece has come, or the reply is complete.
    private func read(upToFirstPiece: Bool) async -> ModelLadder.Event {
        guard let generation = state.withLock({ $0.generation }) else { return ended(with: .empty) }
        do throws(ModelError) {
            while !state.withLock({ $0.isComplete }) {
                if !upToFirstPiece { giveOut() }
                guard let piece = try await generation.next() else {
                    await prepare(for: nil)
                    state.withLock { state in
                        state.draft.finish()
                        state.isComplete = true
                    }
                    break
                }
                await prepare(for: piece)
                if take(piece), upToFirstPiece { return .spoke(call: call.id) }
            }
        } catch {
            return ended(with: error)
        }
        generation.stop()
        state.withLock { $0.endedAt = time.now }
        return .ended(call: call.id, .whole(hasWords: text != nil))
    }

    /// Makes the vectors of the sentences that a piece closes, or the end of the stream.
    private func prepare(for piece: String?) async {
        guard let vectors else { return }
        let sentences = state.withLock { $0.draft.sentences(closedBy: piece) }
        if !sentences.isEmpty { await vectors.prepare(sentences) }
    }

    /// Takes a piece; whether anything useful has been said by now.
    private func take(_ piece: String) -> Bool {
        let now = time.now
        return state.withLock { state in
            if state.draft.append(piece) == .complete { state.isComplete = true }
            guard state.firstAt != nil || piece.contains(where: { !$0.isWhitespace }) else { return false }
            state.firstAt = state.firstAt ?? now
            state.lastAt = now
            return true
        }
    }

    /// Says what may be spoken; only the call that is listened to gets here without having been stopped.
    private func giveOut() {
        guard let say else { return }
        let sentences = state.withLock { state -> [String] in
            guard state.stopReason == nil else { return [] }
            let verdict = state.draft.verdict
            return state.draft.giveOut { isHeldBack($0, verdict) }
        }
        for sentence in sentences { say(sentence) }
    }

    /// Keeps what can be said of what came before a failure.
    private func ended(with error: ModelError) -> ModelLadder.Event {
        let remains = state.withLock { state -> LadderEnding.Remains in
            state.failure = error
            state.endedAt = time.now
            state.draft.takeLastWholeSentence()
            if state.draft.text != nil { return .sentence }
            state.draft.salvage()
            return state.draft.text == nil ? .nothing : .clause
        }
        state.withLock { $0.generation }?.stop()
        return .ended(call: call.id, .failed(error, remains))
    }
}
