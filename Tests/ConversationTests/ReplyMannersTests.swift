import Evaluation
import Foundation
import Runtime
import Synchronization
import TestSupport
import Testing

@testable import Conversation
@testable import Domain

/// Parts of a reply besides its answer: the disclosure, the offer, and the sentences that a second screening leaves.
@Suite struct ReplyMannersTests {
    @Test(arguments: [
        "I can't advise on that. Shall I tell your family?", "I can tell your family. Shall I?",
        "Would you like me to ask your daughter?", "Puedo avisar a su familia. ¿Lo hago?",
        "No puedo aconsejarle en eso. ¿Aviso a su familia?",
    ])
    func `a reply that offers to tell the family is known`(reply: String) {
        #expect(FamilyOffer.isMade(in: reply))
    }

    @Test(arguments: [
        "Did you tell your family?", "Your family will love it. Shall I sing?", "I'm telling your family now.",
        "How is your daughter?", "Siéntese, por favor. Aviso a su familia. ¿Cómo se siente ahora?",
        "Shall I tell you a story?", "May I ask how your morning was?",
    ])
    func `a reply that offers nothing of the kind is left alone`(reply: String) {
        #expect(!FamilyOffer.isMade(in: reply))
    }

    @Test func `the first reply of a day says that an AI speaks, and the second does not`() async throws {
        let first = MannersBench(says: ["How lovely that sounds."], disclosure: .daily)
        #expect(try await first.answer("hello").text == "I'm an AI companion. How lovely that sounds.")
        let state = try #require(first.states.last)
        #expect(state.disclosedOn?.count == 10)
        let second = MannersBench(says: ["How lovely that sounds."], disclosure: .daily, state: state)
        #expect(try await second.answer("hello").text == "How lovely that sounds.")
    }

    @Test func `with the disclosure the reply stays within the cap`() async throws {
        let bench = MannersBench(says: [String(repeating: "word ", count: 40)], disclosure: .daily)
        let text = try await bench.answer("hello").text
        #expect(text.hasPrefix("I'm an AI companion. "))
        #expect(WordCount.of(text) <= 20)
    }

    @Test func `a safety line is not made longer, and the disclosure is still due`() async throws {
        let bench = MannersBench(says: ["Hello."], disclosure: .daily)
        #expect(try await bench.answer("I fell").text == "Stay with me. Are you hurt?")
        #expect(bench.states.last?.disclosedOn == nil)
    }

    @Test func `where nobody asks for it nothing is disclosed, and a low cap leaves no room`() async throws {
        let off = MannersBench(says: ["How lovely."])
        #expect(try await off.answer("hello").text == "How lovely.")
        let low = MannersBench(says: ["How lovely."], disclosure: .daily)
        #expect(try await low.answer("hello", wordCap: 6).text == "How lovely.")
    }

    @Test func `a sentence that means what may not be said is left out`() async throws {
        let bench = MannersBench(says: ["It is sunny. Sell the house."], wantsVectors: true, vectors: .heard)
        let reply = try await bench.answer("hello")
        #expect(reply.text == "It is sunny.")
        #expect(reply.flags == ["replies.house"])
        #expect(reply.degraded.isEmpty)
    }

    @Test func `a reply of which nothing is left becomes a line of ours`() async throws {
        let bench = MannersBench(says: ["Sell the house."], wantsVectors: true, vectors: .heard)
        let reply = try await bench.answer("hello")
        #expect(!reply.text.contains("house"))
        #expect(reply.degraded == [.output])
    }

    @Test func `a sentence whose vector cannot be had is screened by its words, and the screen is named`() async throws
    {
        let bench = MannersBench(says: ["Sell the house."], wantsVectors: true, vectors: .away)
        let reply = try await bench.answer("hello")
        #expect(reply.text == "Sell the house.")
        #expect(reply.degraded == [.screen])
        #expect(bench.metrics.exposition.contains("hearth_screen_failures_total{part=\"replies\"} 1"))
    }

    @Test func `a screen that looks at words alone asks for no vectors`() async throws {
        let bench = MannersBench(says: ["Sell the house."], wantsVectors: false, vectors: .away)
        let reply = try await bench.answer("hello")
        #expect(reply.text == "Sell the house.")
        #expect(reply.degraded.isEmpty)
    }
}

/// Recall that has a vector for the message, and one for each sentence or none.
struct MannersRecall: MemoryRecall {
    enum Vectors: Sendable {
        case heard, away
    }

    let canStore = true
    let vectors: Vectors

    func recall(
        _ text: String,
        of patient: PatientID,
        tenant: TenantID,
        limit: Int,
        by deadline: Deadline
    ) async throws(RecallError) -> RecallResult {
        RecallResult(vector: [0], reading: [0])
    }

    func reading(
        of sentence: String,
        after message: String,
        by deadline: Deadline
    ) async throws(RecallError) -> [Float] {
        guard vectors == .heard else { throw .overloaded(waiting: 9) }
        return [sentence.contains("house") ? 1 : 0]
    }

    func store(_ memory: StoredMemory, said: String, by deadline: Deadline) async throws(RecallError) -> [Float] { [] }
}

/// An output screen that lets every word pass, and not the vector 1.
private struct HearingOutput: OutputScreen {
    let wantsVectors: Bool

    func wantsVector(of sentence: String, answering decision: Decision) -> Bool { wantsVectors }

    func screen(
        _ sentence: String,
        vector: [Float],
        answering turn: Turn,
        _ decision: Decision,
        in posture: Posture
    ) -> OutputVerdict {
        vector.first == 1 ? .drop(rule: "replies.house") : .pass
    }
}

private struct MannersBench: Sendable {
    let metrics = Metrics()
    private let records: ScriptedRecords
    private let pipeline: TurnPipeline
    private let time = VirtualTime()
    private let patient = PatientID()
    private let tenant = TenantID()

    init(
        says pieces: [String],
        disclosure: Disclosure.Frequency = .off,
        state: ConversationState = ConversationState(),
        wantsVectors: Bool = false,
        vectors: MannersRecall.Vectors = .heard
    ) {
        let journal = Journal()
        let patient = Patient(id: patient, tenant: tenant, name: "Rose", timeZone: .gmt)
        records = ScriptedRecords(journal, .init(memory: PatientMemory(patient: patient, state: state)))
        let spool = InMemorySpool()
        pipeline = TurnPipeline(
            PipelineDependencies(
                records: records,
                spool: spool,
                delivery: spool,
                recall: MannersRecall(vectors: vectors),
                screen: ScriptedScreen(),
                policy: ScriptedPolicy(),
                output: HearingOutput(wantsVectors: wantsVectors),
                composer: ScriptedComposer(),
                models: [ScriptedModel(journal, pieces, then: .whole)],
                replies: .scripted,
                disclosure: Disclosure(disclosure)
            ),
            calls: CallBudgets(hedges: 0, retries: 0),
            admission: TurnAdmission(AdmissionLimits(), metrics: metrics, time: time),
            metrics: TurnMetrics(metrics),
            log: Log(to: MemoryLogSink()),
            time: time
        )
    }

    /// The states that conversations were left in.
    var states: [ConversationState] { records.committed.withLock { $0.map(\.state) } }

    func answer(_ text: String, wordCap: Int = 20) async throws -> Reply {
        let turn = Turn(
            tenant: tenant,
            patient: patient,
            text: text,
            spokenAt: Date(),
            receivedAt: Date(),
            wordCap: wordCap,
            trace: Trace(time: time)
        )
        return try await pipeline.answer(turn, by: Deadline(after: .seconds(5), from: time.now)).reply
    }
}
