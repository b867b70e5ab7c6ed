import Conversation
import Domain
import Evaluation
import Foundation
import Prompts
import Runtime
import Safety

/// Whole turns through the pipeline, with the shipped screens and prompts, a record in memory, and a model that says
/// its reply at once.
struct HotTurns {
    private static let patience = Duration.seconds(120)
    private static let turns = 20

    private let records = InMemoryRecords()
    private let pipeline: TurnPipeline
    private let tenant = TenantID()

    init(folder: String, _ book: RuleSet) throws {
        let lines = folder + "/lines.yaml"
        let files = try PromptFolder(URL(filePath: folder)).files()
        let (spool, metrics) = (InMemorySpool(), Metrics())
        // Valgrind takes fifty times as long: no deadline may pass.
        let budgets = StageBudgets(
            turn: Self.patience,
            remember: Self.patience,
            recall: Self.patience,
            record: Self.patience,
            reserve: .seconds(1)
        )
        let policy = SafetyDecisionPolicy(
            try SafetyLines(String(contentsOfFile: lines, encoding: .utf8), file: lines)
        )
        pipeline = TurnPipeline(
            PipelineDependencies(
                records: records,
                spool: spool,
                delivery: spool,
                recall: NoRecall(),
                screen: RuleScreen(book),
                policy: policy,
                output: ReplyOutputScreen(book),
                composer: BundleComposer(try PromptBundle(files)),
                models: [ReadyModel(pieces: SaidTexts.pieces)],
                replies: policy.replies
            ),
            budgets: budgets,
            admission: TurnAdmission(AdmissionLimits(), metrics: metrics),
            metrics: TurnMetrics(metrics),
            log: Log(to: NoLog(), minimum: .error),
            jitter: { 0 }
        )
    }

    /// Counts the instructions of an ordinary turn and of a grave one, each of a patient who has not spoken before.
    func count(on loop: EventLoop) async throws {
        try await records.openTenant(tenant, name: "Instructions", by: Deadline(after: Self.patience))
        try await withTaskExecutorPreference(loop) {
            for (name, text) in [("turn", "The garden is lovely today"), ("grave_turn", "I fell and hit my head")] {
                let count = InstructionCount(name, times: Self.turns)
                var patients = try await patients(count.calls)
                try await count.of { try await answer(text, from: patients.removeLast()) }
            }
        }
    }

    private func patients(_ count: Int) async throws -> [PatientID] {
        var patients: [PatientID] = []
        for _ in 0..<count {
            let patient = Patient(id: PatientID(), tenant: tenant, name: "Rose", timeZone: .gmt)
            try await records.store(patient, by: Deadline(after: Self.patience))
            patients.append(patient.id)
        }
        return patients
    }

    private func answer(_ text: String, from patient: PatientID) async throws {
        let now = Date()
        let turn = Turn(tenant: tenant, patient: patient, text: text, spokenAt: now, receivedAt: now)
        let answer = try await pipeline.answer(turn, by: Deadline(after: Self.patience))
        guard answer.reply.degraded.isEmpty else { throw Degraded(parts: answer.reply.degraded) }
    }

    /// A turn that went another way than is to be counted.
    struct Degraded: Error {
        let parts: [Degradation]
    }
}

/// Recall that remembers nothing, at no cost.
private struct NoRecall: MemoryRecall {
    let canStore = true

    func recall(
        _ text: String,
        of patient: PatientID,
        tenant: TenantID,
        limit: Int,
        by deadline: Deadline
    ) async throws(RecallError) -> RecallResult { RecallResult() }

    func store(_ memory: StoredMemory, said: String, by deadline: Deadline) async throws(RecallError) -> [Float] { [] }
}

/// A log that keeps nothing.
private struct NoLog: LogSink {
    func write(_ line: LogLine) {}
}
