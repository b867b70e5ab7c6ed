import Foundation
import Runtime
import TestSupport
import Testing

@testable import Conversation

/// Facts are asked for, read, checked against what was said, and stored.
@Suite(.timeLimit(.minutes(1)))
struct FactExtractionTests {
    private static let fact = #"{"kind":"other","subject":"cat","text":"Maggie has a cat named Biscuit."}"#
    private static let invented = #"{"kind":"medicine","subject":"pill","text":"Maggie takes aspirin."}"#

    private let patient = Patient(id: PatientID(), tenant: TenantID(), name: "Maggie", timeZone: .gmt)
    private let message = MessageID()
    private let sink = MemoryLogSink()
    private let exchange = PatientMemory.Exchange(
        said: "My cat is called Biscuit.",
        answered: "Does she take aspirin?",
        at: Date(timeIntervalSince1970: 1_772_000_000)
    )

    @Test func `what the patient said is stored with who, when and in which message`() async throws {
        let records = RecordedExchanges(patient, exchange)
        try await extract([Self.fact.prefix(20), Self.fact.dropFirst(20)].map(String.init), records)
        let stored = try #require(records.stored.first)
        #expect(stored.message == message && stored.patient == patient.id && stored.tenant == patient.tenant)
        #expect(stored.facts.map(\.text) == ["Maggie has a cat named Biscuit."])
        #expect(stored.facts.first?.saidBy == .patient && stored.facts.first?.saidAt == exchange.at)
    }

    @Test func `what only the companion or the model said is dropped, and the log counts it without words`()
        async throws
    {
        let records = RecordedExchanges(patient, exchange)
        try await extract(["\(Self.invented)\nrubbish\n\(Self.fact)"], records)
        #expect(records.stored.first?.facts.map(\.subject) == ["cat"])
        let line = try #require(sink.lines.first)
        #expect(line.event == "facts_extracted")
        #expect(line.fields.map(\.value) == [.integer(1), .integer(1), .integer(1)])
        #expect(!line.json.contains("Biscuit") && !line.json.contains("aspirin"))
    }

    @Test(arguments: ["", "none", "I could not find any facts.", invented])
    func `when nothing is left nothing is stored`(_ answer: String) async throws {
        let records = RecordedExchanges(patient, exchange)
        try await extract([answer], records)
        #expect(records.stored.isEmpty)
    }

    @Test func `an endless answer is read up to a limit and stopped`() async throws {
        let records = RecordedExchanges(patient, exchange)
        let model = ScriptedModel(Journal(), [Self.fact + "\n"] + Array(repeating: "blah blah\n", count: 9_999))
        try await extract(model, records)
        #expect(records.stored.first?.facts.count == 1)
        #expect(model.stopped.isSettled)
        #expect(model.journal.events.count < 500)
    }

    @Test func `an empty reply of the model means no facts`() async throws {
        let records = RecordedExchanges(patient, exchange)
        try await extract(ScriptedModel(Journal(), [], then: .fails(.empty)), records)
        #expect(records.stored.isEmpty)
    }

    @Test(arguments: [ModelError.cutOff(pieces: 1), .unreachable(reason: "refused"), .overloaded(inFlight: 4)])
    func `a model that fails halfway stores nothing and the job is tried again`(_ error: ModelError) async {
        let records = RecordedExchanges(patient, exchange)
        let model = ScriptedModel(Journal(), [Self.fact + "\n"], then: .fails(error))
        await #expect(throws: JobFailure.model(error)) { try await extract(model, records) }
        #expect(records.stored.isEmpty && model.stopped.isSettled)
    }

    @Test func `an exchange or a patient that has gone leaves nothing to do`() async throws {
        let journal = Journal()
        let gone = RecordedExchanges(patient, nil)
        try await extract(ScriptedModel(journal, [Self.fact]), gone)
        let another = Patient(id: PatientID(), tenant: patient.tenant, name: "Ines", timeZone: .gmt)
        try await extract(ScriptedModel(journal, [Self.fact]), RecordedExchanges(another, exchange))
        #expect(journal.events.isEmpty && gone.stored.isEmpty)
    }

    @Test func `a record that is away is the job's failure`() async {
        let away = RecordsError.unavailable(reason: "away")
        let records = RecordedExchanges(patient, exchange, failure: away)
        await #expect(throws: JobFailure.records(away)) { try await extract(["none"], records) }
    }

    private func extract(_ pieces: [String], _ records: RecordedExchanges) async throws {
        try await extract(ScriptedModel(Journal(), pieces), records)
    }

    private func extract(_ model: ScriptedModel, _ records: RecordedExchanges) async throws {
        let job = Job(
            id: 1,
            tenant: patient.tenant,
            patient: patient.id,
            work: .extractFacts(message),
            attempts: 0
        )
        let extraction = FactExtraction(
            records: records,
            composer: ScriptedComposer(),
            model: model,
            log: Log(to: sink)
        )
        try await extraction.extract(from: message, of: job, by: .soon)
    }
}
