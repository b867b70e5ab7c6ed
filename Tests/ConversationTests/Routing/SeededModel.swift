import Conversation
import Domain
import Evaluation
import Runtime
import Synchronization
import TestSupport

/// A model whose calls do what a seed says: speak at some pace, stall, break, fail, or say nothing.
final class SeededModel: LanguageModel {
    /// Behaviour of one call.
    struct Script {
        var firstAfter = Duration.zero
        var every = Duration.milliseconds(20)
        var words = 0
        /// Event after the last word; nil when the reply is whole.
        var end: End?

        enum End { case silence, cut, failure(ModelError) }
    }

    let name: String
    private let modelIndex: Int
    private let chance: SeededChance
    private let calls = Mutex(0)

    init(_ modelIndex: Int, _ chance: SeededChance) {
        (self.modelIndex, self.chance) = (modelIndex, chance)
        name = "seeded-\(modelIndex)"
    }

    func generate(_ prompt: Prompt, by deadline: Deadline) async throws(ModelError) -> any Generation {
        let call = calls.withLock { calls in
            calls += 1
            return calls
        }
        let script = script(call)
        if case .failure(let error) = script.end, script.words == 0 {
            try await sleep(until: chance.time.now + script.firstAfter, by: deadline)
            throw error
        }
        return SeededGeneration(script, self, by: deadline)
    }

    /// Waits; a deadline that comes first, or a cancellation, ends the call.
    func sleep(until instant: Instant, by deadline: Deadline) async throws(ModelError) {
        let began = chance.time.now
        do { try await chance.time.sleep(until: min(instant, deadline.instant)) } catch { throw .cancelled }
        if deadline.instant <= instant { throw .timedOut(after: deadline.instant.since(began)) }
    }

    var now: Instant { chance.time.now }

    /// A quarter of the calls come in bad times, in which most fail.
    private func script(_ call: Int) -> Script {
        var weather = chance.generator("weather \(modelIndex) \(call / 6)")
        var random = chance.generator("call \(modelIndex) \(call)")
        let isBad = Int.random(in: 0..<4, using: &weather) == 0
        var script = Script()
        script.firstAfter = .milliseconds(Int.random(in: 40...400, using: &random))
        script.words = Int.random(in: 6...24, using: &random)
        script.every = .milliseconds(Int.random(in: 5...60, using: &random))
        switch Int.random(in: 0..<(isBad ? 12 : 40), using: &random) {
        case 0...1: (script.words, script.end) = (Int.random(in: 0...9, using: &random), .silence)
        case 2: (script.words, script.end) = (Int.random(in: 1...12, using: &random), .cut)
        case 3: script.every = .milliseconds(Int.random(in: 300...1_500, using: &random))
        case 4: script.firstAfter = .milliseconds(Int.random(in: 900...6_000, using: &random))
        case 5...9 where isBad:
            (script.words, script.end) = (0, .failure(Self.errors.randomElement(using: &random) ?? .empty))
        case 5: (script.words, script.end) = (0, .failure(.unreachable(reason: "")))
        default: break
        }
        return script
    }

    private static let errors: [ModelError] = [
        .unreachable(reason: ""), .refused(status: 500, retryAfter: nil, message: ""),
        .refused(status: 429, retryAfter: .milliseconds(600), message: ""),
        .refused(status: 503, retryAfter: .seconds(9), message: ""),
        .refused(status: 400, retryAfter: nil, message: ""), .malformed(reason: ""), .empty,
    ]
}

/// One call of a seeded model.
private final class SeededGeneration: Generation {
    private static let text = [
        "It", "is", "good", "to", "hear", "you.", "The", "sun", "shines,", "and", "all", "is", "well.",
    ]

    let usage = TokenUsage(promptTokens: 10, completionTokens: 5)
    private let script: SeededModel.Script
    private let model: SeededModel
    private let deadline: Deadline
    private let began: Instant
    private let said = Mutex(0)

    init(_ script: SeededModel.Script, _ model: SeededModel, by deadline: Deadline) {
        (self.script, self.model, self.deadline) = (script, model, deadline)
        began = model.now
    }

    func next() async throws(ModelError) -> String? {
        let index = said.withLock { said in
            defer { said += 1 }
            return said
        }
        let at = began + script.firstAfter + script.every * index
        guard index >= script.words else {
            try await model.sleep(until: at, by: deadline)
            return Self.text[index % Self.text.count] + " "
        }
        switch script.end {
        case nil: return nil
        case .silence: try await model.sleep(until: deadline.instant + .seconds(60), by: deadline)
        case .cut: throw .cutOff(pieces: index)
        case .failure(let error): throw error
        }
        return nil
    }

    func stop() {}
}
