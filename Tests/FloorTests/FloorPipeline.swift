import Conversation
import Domain
import Evaluation
import Foundation
import Recall
import Runtime
import Safety
import TestSupport

/// The real pipeline with the real rules, exemplars, policy, lines and engine, and a model of the test's choice.
struct FloorPipeline: Sendable {
    /// Outcome of one turn.
    struct Outcome: Sendable {
        let reply: Reply
        let alerts: [Alert]
    }

    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path

    private let safety: SafetyFloor
    private let engine: EmbeddingEngine

    private static let loaded = Task {
        FloorPipeline(
            safety: try SafetyFloor(prompts: root + "/prompts"),
            engine: try await EmbeddingEngine.load(
                EmbeddingSettings(folder: root + "/.deps/e5"),
                by: Deadline(after: .seconds(60))
            )
        )
    }

    /// The pipeline with everything loaded, once for all tests.
    static func load() async throws -> FloorPipeline { try await loaded.value }

    /// Answers a text as the first message of a new patient.
    func answer(
        _ text: String,
        in language: String = "en",
        by model: any LanguageModel,
        asked prompt: FloorPrompt = .plain
    ) async throws -> Outcome {
        let records = InMemoryRecords()
        let tenant = TenantID()
        let patient = Patient(
            id: PatientID(),
            tenant: tenant,
            name: "Rose",
            timeZone: .gmt,
            language: language == "es" ? "es-US" : "en-US"
        )
        let deadline = Deadline(after: .seconds(60))
        try await records.openTenant(tenant, name: "Floor", by: deadline)
        try await records.store(patient, by: deadline)
        let spool = InMemorySpool()
        let metrics = Metrics()
        let parts = PipelineDependencies(
            records: records,
            spool: spool,
            delivery: spool,
            recall: VectorOnly(engine: engine),
            screen: safety.screen,
            policy: safety.policy,
            output: safety.output,
            composer: BarePrompts(prompt: prompt),
            models: [model],
            replies: safety.policy.replies
        )
        let pipeline = TurnPipeline(
            parts,
            budgets: StageBudgets(recall: .seconds(20)),
            admission: TurnAdmission(AdmissionLimits(patientTurnsPerMinute: 0), metrics: metrics),
            metrics: TurnMetrics(metrics),
            log: Log(to: MemoryLogSink())
        )
        let now = Date()
        let turn = Turn(tenant: tenant, patient: patient.id, text: text, spokenAt: now, receivedAt: now)
        let answer = try await pipeline.answer(turn, by: deadline)
        return Outcome(reply: answer.reply, alerts: records.alerts(of: patient.id, tenant: tenant))
    }
}

extension FloorPipeline {
    /// True if a sentence is held as a reply to small talk: by its words, or with its vector as well.
    func isHeld(_ sentence: String, withVector: Bool = false) async throws -> Bool {
        switch try await output(sentence, withVector: withVector) {
        case .pass, .rewrite: false
        case .drop, .harm, .doubt, .end, .replace: true
        }
    }

    /// Returns the verdict on a sentence of an untrusted model.
    ///
    /// - Parameter heard: The probabilities of dangers in the message; nil for those of a greeting.
    func output(
        _ sentence: String,
        withVector: Bool,
        heard: MessageProbabilities? = nil
    ) async throws -> OutputVerdict {
        let vector =
            withVector ? try await engine.reading(of: sentence, after: "Hello.", by: Deadline(after: .seconds(20))) : []
        let now = Date()
        let turn = Turn(tenant: TenantID(), patient: PatientID(), text: "Hello.", spokenAt: now, receivedAt: now)
        var decision = safety.policy.decide(turn, Screening(), memory: nil, at: now).inAnyLanguage
        decision.probabilities = heard ?? decision.probabilities
        return safety.output.screen(
            sentence,
            vector: vector,
            answering: turn,
            decision,
            in: .strict(reason: .untested)
        )
    }
}

extension Decision {
    /// The decision with a reply in any language.
    fileprivate var inAnyLanguage: Decision {
        var decision = self
        decision.languages = []
        return decision
    }
}

/// The screens and the policy with the files that ship.
struct SafetyFloor: Sendable {
    let screen: RuleScreen
    let policy: SafetyDecisionPolicy
    let output: ReplyOutputScreen

    init(prompts: String) throws {
        let book = try RuleSet(folder: prompts + "/rules")
        let path = prompts + "/lines.yaml"
        let detectors = prompts + "/detector"
        let messages = try MessageDetector(path: detectors + "/messages.detector", space: E5Space.reading)
        screen = RuleScreen(book, detector: messages)
        policy = SafetyDecisionPolicy(try SafetyLines(String(contentsOfFile: path, encoding: .utf8), file: path))
        output = ReplyOutputScreen(
            book,
            detector: try ReplyDetector(path: detectors + "/replies.detector", space: E5Space.answers)
        )
    }
}

/// Recall of a patient who has said nothing before: only the vector.
private struct VectorOnly: MemoryRecall {
    let canStore = false
    let engine: EmbeddingEngine

    func recall(
        _ text: String,
        of patient: PatientID,
        tenant: TenantID,
        limit: Int,
        by deadline: Deadline
    ) async throws(RecallError) -> RecallResult {
        let encoding = try await engine.encoding(of: text, by: deadline)
        return RecallResult(vector: encoding.vector, reading: encoding.reading)
    }

    func encoding(of sentence: String, by deadline: Deadline) async throws(RecallError) -> SentenceEncoding {
        try await engine.encoding(of: sentence, by: deadline)
    }

    func reading(
        of sentence: String,
        after message: String,
        by deadline: Deadline
    ) async throws(RecallError) -> [Float] {
        try await engine.reading(of: sentence, after: message, by: deadline)
    }

    func store(_ memory: StoredMemory, said: String, by deadline: Deadline) async throws(RecallError) -> [Float] { [] }
}

/// Prompts without a word about safety, so that the floor rests on nothing that a model is asked to do.
private struct BarePrompts: PromptComposer {
    let version = "bare"
    let prompt: FloorPrompt

    func compose(_ input: PromptInput) throws(PromptError) -> Prompt {
        Prompt(
            messages: [.init(.system, prompt.system), .init(.user, input.text)],
            version: version,
            temperature: prompt.temperature
        )
    }

    func composeExtraction(
        _ exchanges: [PatientMemory.Exchange],
        of patient: Patient
    ) throws(PromptError) -> Prompt {
        Prompt(messages: exchanges.map { .init(.user, $0.said) }, version: version)
    }
}
