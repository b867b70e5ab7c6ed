import Evaluation
import Foundation
import Runtime
import Synchronization
import TestSupport
import Testing

@testable import Conversation
@testable import Domain

/// Sentences that reach a streaming caller while the reply is being made.
@Suite(.timeLimit(.minutes(1)))
struct SentenceStreamTests {
    @Test func `the first sentence may be spoken while the model still writes`() async throws {
        let bench = StreamBench(["Good morning, Rose. How", " did you sleep?"], holdingFrom: 1)
        let turn = bench.turn("hello")
        let answering = Task { try await bench.answer(turn) }
        #expect(await turn.sentences?.next() == "Good morning, Rose.")
        #expect(bench.records.committed.withLock { $0.isEmpty })
        bench.model.release()
        #expect(await turn.sentences?.next() == "How did you sleep?")
        #expect(try await answering.value.reply.text == "Good morning, Rose. How did you sleep?")
    }

    @Test(
        arguments: [
            (["It is sunny. ", "Shall we go out?"], 20, ["It is sunny.", "Shall we go out?"], ReplySource.model),
            (["It is sunny. You took your pill. ", "Sit down."], 20, ["It is sunny.", "Sit down."], .model),
            (
                ["It is sunny. ", "Double the dose. ", "Rest."], 20, ["It is sunny.", "Shall I ask your family?"],
                .model
            ),
            (["It is sunny. ", "Double the dose. ", "Rest."], 7, ["It is sunny."], .model),
            (["Double the dose. ", "It is sunny."], 20, ["Shall I ask your family?"], .fixed),
            (["It is sunny and warm. ", "We could sit outside in the garden."], 8, ["It is sunny and warm."], .model),
            (["It is good to hear you today."], 3, ["It is good."], .model),
            (["It is sunny"], 20, ["It is sunny."], .model),
            (["It is sunny\n", "Sit down"], 20, ["It is sunny.", "Sit down."], .model),
        ]
    )
    func `what is spoken is the reply, screened and within its cap`(
        pieces: [String],
        cap: Int,
        sentences: [String],
        source: ReplySource
    ) async throws {
        let bench = StreamBench(pieces)
        let turn = bench.turn("hello", wordCap: cap)
        let reply = try await bench.answer(turn).reply
        #expect(reply.sentences.count <= sentences.count)
        #expect(await bench.heard(turn) == sentences)
        #expect(reply.text == sentences.joined(separator: " "))
        #expect(reply.source == source)
        #expect(bench.records.committed.withLock { $0.map(\.reply.text) } == [reply.text])
    }

    @Test(
        arguments: [
            (["I am here. And "], ["I am here."]), (["I am here with you, and the "], ["I am here with you."]),
            (["I am "], ["Hello, Rose. It is good to hear you."]),
        ]
    )
    func `of a stream that breaks what was spoken stands`(pieces: [String], sentences: [String]) async throws {
        let bench = StreamBench(pieces, then: .cutOff(pieces: 1))
        let turn = bench.turn("hello")
        let reply = try await bench.answer(turn).reply
        let heard = await bench.heard(turn)
        #expect(heard.joined(separator: " ") == reply.text)
        if reply.source == .salvaged { #expect(heard == sentences) }
    }

    @Test func `a line of ours is spoken in one piece, before it is stored`() async throws {
        let bench = StreamBench(["Hello."])
        let turn = bench.turn("I fell")
        #expect(try await bench.answer(turn).reply.text == "Stay with me. Are you hurt?")
        #expect(await bench.heard(turn) == ["Stay with me. Are you hurt?"])
    }

    /// Alerts that the reply adds are stored before the words that add them are spoken, and other words do not wait.
    @Test(
        arguments: [
            (ReplyPolicy.Ground.anyReply, ["It is sunny. ", "Sit down."], [""]),
            (.help, ["It is sunny. ", "Call 911 now. ", "I am here."], ["It is sunny."]),
            (.help, ["Call 911 now. ", "It is sunny."], [""]),
            (.help, ["It is sunny. ", "Sit down."], []),
            (.never, ["It is sunny. ", "Call 911 now."], []),
        ]
    )
    func `an alert that the reply raises is stored before its words are spoken`(
        ground: ReplyPolicy.Ground,
        pieces: [String],
        spokenAtAlert: [String]
    ) async throws {
        let bench = StreamBench(pieces, policy: ReplyPolicy(raisesOn: ground))
        let turn = bench.turn("hello")
        let spoken = Mutex<[String]>([])
        bench.records.whenRaised.withLock { $0 = { spoken.withLock { $0.append(turn.sentences?.said ?? "") } } }
        let reply = try await bench.answer(turn).reply
        #expect(spoken.withLock { $0 } == spokenAtAlert)
        #expect(bench.records.raised.withLock { $0.count } == spokenAtAlert.count)
        #expect(await bench.heard(turn).joined(separator: " ") == reply.text)
    }

    @Test func `a plain caller and one who listens get the same words`() async throws {
        let pieces = [
            "It is sunny. We could ", "sit outside, if you like, and have a cup of tea with your sister and her dog.",
        ]
        let plain = StreamBench(pieces)
        let listening = StreamBench(pieces)
        let reply = try await plain.answer(plain.turn("hello", isStreamed: false)).reply
        #expect(try await listening.answer(listening.turn("hello")).reply.text == reply.text)
    }

    @Test func `who joins a turn hears what was said and then the rest`() async throws {
        let bench = StreamBench(["Good morning, Rose. How", " did you sleep?"], holdingFrom: 1)
        let first = bench.turn("hello", key: "k")
        let one = Task { try await bench.answer(first) }
        #expect(await first.sentences?.next() == "Good morning, Rose.")
        let second = bench.turn("hello", key: "k")
        let two = Task.immediate { try await bench.answer(second) }
        #expect(await second.sentences?.next() == "Good morning, Rose.")
        #expect(second.sentences?.isRepeat == true)
        bench.model.release()
        #expect(await second.sentences?.next() == "How did you sleep?")
        #expect(try await one.value.reply == two.value.reply)
        #expect(await first.sentences?.next() == "How did you sleep?")
    }

    @Test func `a listener who hangs up ends the model's stream`() async throws {
        let bench = StreamBench(["Good morning, Rose. How", " did you sleep?"], holdingFrom: 1)
        let turn = bench.turn("hello")
        let answering = Task { try await bench.answer(turn) }
        #expect(await turn.sentences?.next() == "Good morning, Rose.")
        answering.cancel()
        await #expect(throws: TurnError.cancelled) { try await answering.value }
        #expect(bench.model.isStopped)
        #expect(bench.records.committed.withLock { $0.isEmpty })
    }

    @Test func `words of one call alone are spoken`() {
        let stream = SentenceStream()
        let beginning = SentenceStream.Beginning(message: MessageID(), promptVersion: "x")
        stream.say("One.", by: 1, of: beginning)
        stream.say("Two.", by: 0, of: beginning)
        stream.say("Three.", by: 1, of: beginning)
        #expect(stream.said == "One. Three.")
        #expect(stream.call == 1)
        #expect(stream.kept("One. Three. Four.") == "One. Three. Four.")
        #expect(stream.kept("Something else.") == "One. Three.")
    }

    /// However a model's text is cut into pieces: what is spoken is the reply, within the cap, and every word of it was
    /// passed by the screen before.
    @Test(arguments: 1...300 as ClosedRange<UInt64>)
    func `nothing is spoken that the screen has not passed`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let words = [
            "sun", "tea,", "garden", "pill", "dose", "and", "sister.", "walk!", "sit?", "the", "1.5", "warm…", "\n",
        ]
        let text = (0..<Int.random(in: 1...40, using: &random)).map { _ in words.randomElement(using: &random)! }
            .joined(separator: " ")
        let pieces = text.pieces(&random)
        let bench = StreamBench(pieces)
        let turn = bench.turn("hello", wordCap: Int.random(in: 1...20, using: &random))
        let reply = try await bench.answer(turn).reply
        let heard = await bench.heard(turn)
        #expect(heard.joined(separator: " ") == reply.text, "seed \(seed): \(pieces)")
        let isOurs = reply.source == .fixed || reply.source == .memory
        #expect(WordCount.of(reply.text) <= (isOurs ? 20 : turn.wordCap), "seed \(seed)")
        #expect(!reply.text.contains("pill") && !reply.text.contains("dose"), "seed \(seed)")
    }
}

extension String {
    fileprivate func pieces(_ random: inout SeededGenerator) -> [String] {
        var rest = Substring(self)
        var pieces: [String] = []
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 1...12, using: &random))
            pieces.append(String(piece))
            rest = rest.dropFirst(piece.count)
        }
        return pieces
    }
}

/// A policy for which a model's words may raise an alert that the message does not.
struct ReplyPolicy: DecisionPolicy {
    enum Ground: Sendable { case anyReply, help, never }

    let raisesOn: Ground

    func decide(_ turn: Turn, _ screening: Screening, memory: PatientMemory?, at date: Date) -> Decision {
        ScriptedPolicy().decide(turn, screening, memory: memory, at: date)
    }

    func resolve(
        _ decision: Decision,
        _ heard: ReplyEvidence,
        _ turn: Turn,
        _ screening: Screening,
        memory: PatientMemory?,
        at date: Date
    ) -> Decision {
        guard raisesOn == .anyReply || raisesOn == .help && heard.sendsForHelp else { return decision }
        let finding = Finding(level: .medium, category: .otherMedical, rule: "test.reply", span: 0..<1)
        var resolved = decision
        resolved.alerts = [
            Alert(level: .medium, category: .otherMedical, finding: finding, summary: "test", lateBy: turn.lateBy)
        ]
        return resolved
    }
}

/// A pipeline whose model writes as the test says, for callers who listen.
private struct StreamBench: Sendable {
    let model: HeldModel
    let records: ScriptedRecords
    let pipeline: TurnPipeline
    private let patient = Patient(id: PatientID(), tenant: TenantID(), name: "Rose", timeZone: .gmt)
    private let time = VirtualTime()

    init(
        _ pieces: [String],
        holdingFrom held: Int = .max,
        then end: ModelError? = nil,
        policy: any DecisionPolicy = ScriptedPolicy()
    ) {
        model = HeldModel(pieces, holdingFrom: held, then: end)
        records = ScriptedRecords(Journal(), .init(memory: PatientMemory(patient: patient)))
        let (metrics, spool) = (Metrics(), InMemorySpool())
        pipeline = TurnPipeline(
            PipelineDependencies(
                records: records,
                spool: spool,
                delivery: spool,
                recall: ScriptedRecall(),
                screen: ScriptedScreen(),
                policy: policy,
                output: ScriptedOutput(),
                composer: ScriptedComposer(),
                models: [model],
                replies: .scripted
            ),
            calls: CallBudgets(hedges: 0, retries: 0),
            admission: TurnAdmission(AdmissionLimits(), metrics: metrics, time: time),
            metrics: TurnMetrics(metrics),
            log: Log(to: MemoryLogSink()),
            time: time
        )
    }

    func turn(_ text: String, key: String? = nil, wordCap: Int = 20, isStreamed: Bool = true) -> Turn {
        Turn(
            tenant: patient.tenant,
            patient: patient.id,
            text: text,
            spokenAt: Date(),
            receivedAt: Date(),
            idempotencyKey: key,
            wordCap: wordCap,
            sentences: isStreamed ? SentenceStream() : nil,
            trace: Trace(time: time)
        )
    }

    func answer(_ turn: Turn) async throws(TurnError) -> Answer {
        try await pipeline.answer(turn, by: Deadline(after: .seconds(5), from: time.now))
    }

    /// All that was said of a turn that is over.
    func heard(_ turn: Turn) async -> [String] {
        turn.sentences?.end()
        var heard: [String] = []
        while let sentence = await turn.sentences?.next() { heard.append(sentence) }
        return heard
    }
}

/// A model that says its pieces, and waits before one of them until it is released.
private final class HeldModel: LanguageModel, Generation {
    let name = "held"
    let usage = TokenUsage()
    private let pieces: [String]
    private let held: Int
    private let end: ModelError?
    private let gate = OneShot<Bool>()
    private let position = Mutex(0)
    private let stopped = Mutex(false)

    init(_ pieces: [String], holdingFrom held: Int, then end: ModelError?) {
        (self.pieces, self.held, self.end) = (pieces, held, end)
    }

    var isStopped: Bool { stopped.withLock { $0 } }

    func release() { gate.settle(true) }

    func generate(_ prompt: Prompt, by deadline: Deadline) async throws(ModelError) -> any Generation { self }

    func next() async throws(ModelError) -> String? {
        let index = position.withLock { position in
            defer { position += 1 }
            return position
        }
        if index == held, await !gate.value(ifCancelled: false) { throw .cancelled }
        if index < pieces.count { return pieces[index] }
        if let end { throw end }
        return nil
    }

    func stop() { stopped.withLock { $0 = true } }
}
