import Conversation
import Domain
import Evaluation
import Foundation
import Runtime
import Synchronization
import TestSupport

/// A pipeline of scripted parts.
struct PipelineBench: Sendable {
    let journal: Journal
    let records: ScriptedRecords
    let models: [ScriptedModel]
    let metrics = Metrics()
    let log = MemoryLogSink()
    let time = VirtualTime()
    let spool = InMemorySpool()
    let pipeline: TurnPipeline
    let patient = PatientID()
    let tenant = TenantID()

    var model: ScriptedModel { models[0] }

    init(
        says pieces: [String],
        then end: ScriptedModel.End = .whole,
        recall: Result<RecallResult, RecallError> = .success(RecallResult()),
        promptFails: Bool = false,
        trusts: Set<String> = [],
        admission: AdmissionLimits = AdmissionLimits()
    ) {
        let journal = Journal()
        self.init(
            journal,
            [ScriptedModel(journal, pieces, then: end)],
            recall: recall,
            promptFails: promptFails,
            trusts: trusts,
            admission: admission
        )
    }

    init(
        _ journal: Journal,
        _ models: [ScriptedModel],
        recall: Result<RecallResult, RecallError> = .success(RecallResult()),
        promptFails: Bool = false,
        trusts: Set<String> = [],
        admission: AdmissionLimits = AdmissionLimits()
    ) {
        self.journal = journal
        self.models = models
        let patient = Patient(id: patient, tenant: tenant, name: "Rose", timeZone: .gmt)
        records = ScriptedRecords(journal, .init(memory: PatientMemory(patient: patient)))
        pipeline = TurnPipeline(
            PipelineDependencies(
                records: records,
                spool: spool,
                delivery: spool,
                recall: ScriptedRecall(result: recall, journal: journal),
                screen: ScriptedScreen(),
                policy: ScriptedPolicy(),
                output: ScriptedOutput(),
                composer: ScriptedComposer(fails: promptFails),
                models: models,
                replies: .scripted,
                trust: ModelTrust(trusted: trusts)
            ),
            calls: CallBudgets(hedges: 0, retries: 0),
            admission: TurnAdmission(admission, metrics: metrics, time: time),
            metrics: TurnMetrics(metrics),
            log: Log(to: log),
            time: time
        )
    }

    func remember(_ earlier: EarlierAnswer) {
        let patient = Patient(id: patient, tenant: tenant, name: "Rose", timeZone: .gmt)
        records.script.withLock { $0.memory = PatientMemory(patient: patient, earlier: earlier) }
    }

    func turn(
        _ text: String,
        key: String? = nil,
        fingerprint: String = "",
        wordCap: Int = 20,
        sentences: SentenceStream? = nil
    ) -> Turn {
        Turn(
            tenant: tenant,
            patient: patient,
            text: text,
            spokenAt: Date(),
            receivedAt: Date(),
            idempotencyKey: key,
            fingerprint: fingerprint,
            wordCap: wordCap,
            sentences: sentences,
            trace: Trace(time: time)
        )
    }

    func answer(_ text: String, wordCap: Int = 20) async throws -> Answer {
        try await answer(turn(text, wordCap: wordCap))
    }

    func answer(_ turn: Turn) async throws -> Answer {
        try await pipeline.answer(turn, by: Deadline(after: .seconds(5), from: time.now))
    }

    /// Answers with the database away and a disk that writes nothing until it is settled, when the turn's time is
    /// nearly over.
    func answer(_ text: String, whileStalling disk: OneShot<Void>) async throws -> Answer {
        records.script.withLock { $0.commitError = .timedOut(after: .milliseconds(500)) }
        spool.stall = disk
        async let answer = answer(text)
        await time.hasSleeper(for: .milliseconds(4_990))
        time.advance(by: .milliseconds(4_990))
        return try await answer
    }
}
