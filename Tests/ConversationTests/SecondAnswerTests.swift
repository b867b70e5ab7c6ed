import Runtime
import Synchronization
import Testing

@testable import Conversation
@testable import Domain

/// The second question to a model whose first answer may be spoken and is near a harm.
@Suite struct SecondAnswerTests {
    private static let near = "Two tablets are fine."

    private func bench(
        _ first: [String],
        second: [String]? = nil,
        isTrusted: Bool = true
    ) -> PipelineBench {
        let journal = Journal()
        return PipelineBench(
            journal,
            [ScriptedModel(journal, first, second: second)],
            trusts: isTrusted ? ["scripted"] : []
        )
    }

    private func questions(to bench: PipelineBench) -> Int { bench.model.deadlines.withLock(\.count) }

    @Test func `a trusted model is asked once more, and its second answer is the reply`() async throws {
        let bench = bench([Self.near], second: ["Please ask your pharmacist."])
        let reply = try await bench.answer("hello").reply
        #expect(reply.text == "Please ask your pharmacist." && reply.source == .model)
        #expect(questions(to: bench) == 2)
        #expect(reply.usage.promptTokens == 20, "both calls are paid for")
    }

    @Test func `a model that stands by its words is believed, and not asked a third time`() async throws {
        let bench = bench([Self.near])
        #expect(try await bench.answer("hello").reply.text == Self.near)
        #expect(questions(to: bench) == 2)
    }

    @Test func `where the second answer may not be spoken the first is the reply`() async throws {
        let bench = bench([Self.near], second: ["Double the dose."])
        #expect(try await bench.answer("hello").reply.text == Self.near)
    }

    @Test(arguments: [
        (["It is sunny."], true, "hello"), ([near], false, "hello"), ([near], true, "I fell"),
    ])
    func `a harmless answer, an untrusted model and a danger with words of its own are not asked again`(
        says: [String],
        isTrusted: Bool,
        message: String
    ) async throws {
        let bench = bench(says, second: ["Please ask your pharmacist."], isTrusted: isTrusted)
        _ = try await bench.answer(message)
        #expect(questions(to: bench) <= 1)
    }

    @Test func `somebody who listens hears the second answer alone`() async throws {
        let bench = bench([Self.near + " It is sunny."], second: ["Please ask your pharmacist."])
        let turn = bench.turn("hello", sentences: SentenceStream())
        let reply = try await bench.answer(turn).reply
        #expect(reply.text == "Please ask your pharmacist.")
        turn.sentences?.end()
        #expect(await turn.sentences?.next() == "Please ask your pharmacist.")
        #expect(await turn.sentences?.next() == nil)
        #expect(questions(to: bench) == 2)
    }

    @Test func `once words were spoken the answer goes on`() async throws {
        let bench = bench(["It is sunny. ", Self.near], second: ["Please ask your pharmacist."])
        let turn = bench.turn("hello", sentences: SentenceStream())
        let reply = try await bench.answer(turn).reply
        #expect(reply.text == "It is sunny. " + Self.near)
        #expect(questions(to: bench) == 1)
    }
}
