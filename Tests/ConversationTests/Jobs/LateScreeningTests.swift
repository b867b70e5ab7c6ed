import Foundation
import Runtime
import Synchronization
import TestSupport
import Testing

@testable import Conversation
@testable import Domain

/// A vector that comes after its turn is read all the same, and raises what the turn could not see.
struct LateScreeningTests {
    private let metrics = Metrics()
    private let records: ScriptedRecords
    private let message = MessageID()
    private let patient = Patient(id: PatientID(), tenant: TenantID(), name: "Rose", timeZone: .gmt)

    init() {
        records = ScriptedRecords(Journal(), ScriptedRecords.Script(memory: PatientMemory(patient: patient)))
    }

    @Test(arguments: [
        ("I gave my things away", [1, 0] as [Float], ["medium self_harm"], "written"),
        ("I gave my things away", [0, 1], [], "agreed"), ("I fell", [1, 0], [], "agreed"),
        ("I'm dizzy", [1, 0], [], "agreed"),
    ])
    func `a late vector raises what is graver than the words, and nothing else`(
        said: String,
        reading: [Float],
        raised: [String],
        outcome: String
    ) async throws {
        try await screen(said, reading)
        #expect(records.raised.withLock { $0 }.map { "\($0.level.rawValue) \($0.category.rawValue)" } == raised)
        #expect(metrics.exposition.contains("hearth_late_screenings_total{outcome=\"\(outcome)\"} 1"))
    }

    @Test func `without a vector nothing is screened again`() async throws {
        try await screen("I gave my things away", [])
        #expect(records.raised.withLock { $0 }.isEmpty)
        #expect(!metrics.exposition.contains("hearth_late_screenings_total{"))
    }

    @Test func `a record that fails is asked again later`() async throws {
        let failure = RecordsError.unavailable(reason: "away")
        records.script.withLock { $0.rememberError = failure }
        await #expect(throws: JobFailure.records(failure)) { try await screen("I gave my things away", [1, 0]) }
        #expect(metrics.exposition.contains("hearth_late_screenings_total{outcome=\"failed\"} 1"))
    }

    @Test func `a patient who is not served any more raises nothing and ends the job`() async throws {
        records.script.withLock { $0.rememberError = RecordsError.closedPatient(patient.id) }
        try await screen("I gave my things away", [1, 0])
        #expect(records.raised.withLock { $0 }.isEmpty)
        #expect(metrics.exposition.contains("hearth_late_screenings_total{outcome=\"gone\"} 1"))
    }

    private func screen(_ said: String, _ reading: [Float]) async throws {
        let exchange = PatientMemory.Exchange(said: said, answered: "I see.", at: Date(timeIntervalSince1970: 0))
        let job = Job(
            id: 1,
            tenant: patient.tenant,
            patient: patient.id,
            work: .embedExchange(message),
            attempts: 0,
            subject: .exchange(exchange)
        )
        let screening = LateScreening(
            records,
            bundles: OneBundle(),
            models: [],
            metrics: metrics,
            log: Log(to: MemoryLogSink())
        )
        _ = try await ExchangeEmbedding(recall: ReadingRecall(reading: reading), screening: screening)
            .perform(job, by: .soon)
    }
}

/// Recall that stores nothing and has read every sentence alike.
private struct ReadingRecall: MemoryRecall {
    let canStore = true
    let reading: [Float]

    func recall(
        _ text: String,
        of patient: PatientID,
        tenant: TenantID,
        limit: Int,
        by deadline: Deadline
    ) async throws(RecallError) -> RecallResult {
        RecallResult()
    }

    func store(_ memory: StoredMemory, said: String, by deadline: Deadline) async throws(RecallError) -> [Float] {
        reading
    }
}

/// One bundle of scripted parts.
private struct OneBundle: TurnBundles {
    let active = TurnBundle(
        version: "1",
        screen: ScriptedScreen(),
        policy: ScriptedPolicy(),
        output: ScriptedOutput(),
        composer: ScriptedComposer(),
        replies: CannedReplies()
    )

    func choice(for turn: Turn, _ memory: PatientMemory?, begunWith active: TurnBundle) -> BundleChoice {
        BundleChoice(active)
    }

    func note(_ outcome: TrialOutcome) {}

    func shadow(_ turn: ShadowTurn) {}
}
