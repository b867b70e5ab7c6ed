import Conversation
import Domain
import Evaluation
import Foundation
import Reminders
import Runtime
import Synchronization
import TestSupport
import Testing

/// Calls that come together, hang up, stall, or are too many.
extension TurnPipelineTests {
    @Test func `two calls with one key are answered once`() async throws {
        let bench = PipelineBench(says: ["Hello."], then: .waits)
        let first = bench.turn("hello", key: "k")
        let one = Task { try await bench.answer(first) }
        _ = await bench.model.asked.value(ifCancelled: false)
        let two = Task.immediate { try await bench.answer(bench.turn("hello", key: "k")) }
        let mismatch = bench.turn("hello", key: "k", fingerprint: "other")
        await #expect(throws: TurnError.keyReused("k")) { _ = try await bench.answer(mismatch) }
        one.cancel()
        two.cancel()
        #expect(await one.result.isFailure)
        #expect(await two.result.isFailure)
        #expect(bench.journal.events.filter { $0.hasPrefix("ask") }.count == 1)
    }

    @Test func `a caller that hangs up ends the model's stream and not what is recorded`() async throws {
        let bench = PipelineBench(says: ["Sit "], then: .waits)
        let call = Task { try await bench.answer("I'm dizzy") }
        _ = await bench.model.asked.value(ifCancelled: false)
        call.cancel()
        #expect(await call.result.isFailure)
        #expect(bench.model.stopped.isSettled)
        #expect(bench.records.recorded.withLock { $0.map(\.decision.level) } == [.medium])
        #expect(bench.records.committed.withLock { $0.isEmpty })
    }

    @Test func `a prompt that cannot be composed leaves our line`() async throws {
        let reply = try await PipelineBench(says: ["Hello."], promptFails: true).answer("hello?").reply
        #expect(reply.source == .memory)
        #expect(reply.degraded == [.model])
    }

    @Test func `a turn that comes too often is refused, and one that tells of danger is answered by us`() async throws {
        let bench = PipelineBench(says: ["Hello."], admission: AdmissionLimits(patientTurnsPerMinute: 2))
        _ = try await bench.answer("hello")
        _ = try await bench.answer("hello again")
        await #expect(throws: TurnError.rateLimitExceeded(retryAfter: .seconds(30))) {
            _ = try await bench.answer("and again")
        }
        #expect(bench.journal.events.filter { $0 == "remember" }.count == 2)
        let fall = try await bench.answer("I fell").reply
        #expect(fall.text == "Stay with me. Are you hurt?")
        #expect(fall.alertSent)
        let dizzy = try await bench.answer("I'm dizzy").reply
        #expect(dizzy.source == .fixed)
        #expect(dizzy.alertSent)
        #expect(try await bench.answer("yes, a little").reply.source == .memory)
        #expect(bench.journal.events.filter { $0.hasPrefix("ask") }.count == 2)
    }

    @Test func `where there is no room an ordinary turn is sent away and a fall is answered`() async throws {
        let bench = PipelineBench(
            says: ["Hel"],
            then: .waits,
            admission: AdmissionLimits(turnsAtOnce: 1, turnsWaiting: 0)
        )
        let first = Task { try await bench.answer("hello") }
        _ = await bench.model.asked.value(ifCancelled: false)
        await #expect(throws: TurnError.overloaded) { _ = try await bench.answer("hello again") }
        #expect(try await bench.answer("I fell").reply.alertSent)
        first.cancel()
        _ = await first.result
    }

    @Test func `a turn that waits is refused when its patience ends, and begins when another turn does`() async throws {
        let bench = PipelineBench(
            says: ["Hel"],
            then: .waits,
            admission: AdmissionLimits(turnsAtOnce: 1, turnsWaiting: 1)
        )
        let first = Task { try await bench.answer("hello") }
        _ = await bench.model.asked.value(ifCancelled: false)
        let second = Task { try await bench.answer("hello again") }
        await bench.time.hasSleeper(for: .milliseconds(500))
        bench.time.advance(by: .milliseconds(500))
        await #expect(throws: TurnError.overloaded) { _ = try await second.value }
        let third = Task { try await bench.answer("hello once more") }
        await bench.time.hasSleeper(for: .milliseconds(500))
        first.cancel()
        _ = await first.result
        await bench.time.hasSleeper(for: .seconds(1))
        #expect(bench.journal.events.filter { $0.hasPrefix("ask") }.count == 2)
        third.cancel()
        _ = await third.result
    }

    @Test func `a second call is made for a turn whose first stalls, and both are in its ledger and its account`()
        async throws
    {
        let journal = Journal()
        let stalled = ScriptedModel(journal, name: "first", ["I am"], then: .waits)
        let second = ScriptedModel(journal, name: "second", ["Hello, Rose."])
        let bench = PipelineBench(journal, [stalled, second])
        let turn = bench.turn("hello")
        let answering = Task { try await bench.answer(turn) }
        await bench.time.hasSleeper(for: .seconds(1))
        bench.time.advance(by: .seconds(1))
        let reply = try await answering.value.reply
        #expect(reply.text == "Hello, Rose.")
        #expect(reply.source == .fallbackModel)
        #expect(reply.degraded == [.model])
        #expect(reply.usage == TokenUsage(promptTokens: 20, completionTokens: 10))
        let spans = turn.trace.spans.filter { ["generate", "fallback"].contains($0.stage) }
        #expect(spans.map(\.stage) == ["generate", "fallback"])
        #expect(spans.map(\.outcome) == [.degraded, .ok])
        #expect(spans[0].duration == .seconds(1))
        #expect(spans[0].note.contains("slow"))
    }

    @Test func `no patient text is logged at info or above`() async throws {
        let bench = PipelineBench(says: ["Secret answer."])
        _ = try await bench.answer("my secret message")
        let lines = bench.log.lines.filter { $0.level >= .info }.map(\.json)
        #expect(!lines.isEmpty)
        #expect(!lines.contains { $0.lowercased().contains("secret") })
    }
}

extension Result {
    fileprivate var isFailure: Bool {
        if case .failure = self { true } else { false }
    }
}
