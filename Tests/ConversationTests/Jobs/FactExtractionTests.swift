import Foundation
import Runtime
import TestSupport
import Testing

@testable import Conversation
@testable import Domain

/// Facts are asked for, read, and checked against what was said.
@Suite(.timeLimit(.minutes(1)))
struct FactExtractionTests {
    private static let fact = #"{"kind":"other","subject":"cat","text":"Maggie has a cat named Biscuit."}"#
    private static let invented = #"{"kind":"medicine","subject":"pill","text":"Maggie takes aspirin."}"#

    private let patient = Patient(id: PatientID(), tenant: TenantID(), name: "Maggie", timeZone: .gmt)
    private let sink = MemoryLogSink()
    private let cat = Self.saying("My cat is called Biscuit.", "Does she take aspirin?", at: 0)

    @Test func `what the patient said is a fact with who, when and in which message`() async throws {
        let answer = [Self.fact.prefix(20), Self.fact.dropFirst(20)].map(String.init)
        let (facts, read) = try await extract(ScriptedModel(Journal(), answer), [cat])
        #expect(facts.map(\.fact.text) == ["Maggie has a cat named Biscuit."])
        #expect(facts.map(\.message) == [cat.message] && read == [cat.message])
        #expect(facts.first?.fact.saidBy == .patient && facts.first?.fact.saidAt == cat.exchange.at)
    }

    @Test func `all that was said is read in one call, and each fact is of the message that bears it out`() async throws
    {
        let sayings = [
            cat, Self.saying("I don't like fish.", "Noted.", at: 60), Self.saying("It rains.", "It does.", at: 120),
            Self.saying("My son Harold lives in Boston.", nil, at: 180),
        ]
        let model = ScriptedModel(
            Journal(),
            [
                #"{"kind":"person","subject":"son","text":"Maggie's son Harold lives in Boston."}"# + "\n",
                #"{"kind":"preference","subject":"fish","text":"Maggie does not like fish."}"# + "\n", Self.fact,
            ]
        )
        let (facts, read) = try await extract(model, sayings)
        #expect(facts.map(\.fact.subject) == ["cat", "fish", "son"])
        #expect(facts.map(\.message) == [sayings[0].message, sayings[1].message, sayings[3].message])
        #expect(facts.map(\.fact.saidAt) == [sayings[0], sayings[1], sayings[3]].map(\.exchange.at))
        #expect(read == sayings.map(\.message))
        #expect(model.journal.events.filter { $0 == "ask scripted" }.count == 1)
    }

    @Test func `a correction comes after what it corrects, whatever the model names first`() async throws {
        let sayings = [
            Self.saying("My cat is called Biscuit.", "Sweet.", at: 0),
            Self.saying("No, my cat is called Muffin.", "I see.", at: 60),
        ]
        let corrected = #"{"kind":"other","subject":"cat","text":"Maggie has a cat named Muffin."}"#
        let (facts, _) = try await extract([corrected + "\n" + Self.fact], sayings)
        #expect(facts.map(\.fact.text) == ["Maggie has a cat named Biscuit.", "Maggie has a cat named Muffin."])
        #expect(facts.map(\.message) == sayings.map(\.message))
    }

    @Test func `words of two messages together bear out nothing`() async throws {
        let sayings = [
            Self.saying("My son Harold is kind.", nil, at: 0), Self.saying("Boston is far away.", nil, at: 60),
        ]
        let mixed = #"{"kind":"person","subject":"son","text":"Maggie's son Harold lives in Boston."}"#
        let (facts, read) = try await extract([mixed], sayings)
        #expect(facts.isEmpty && read.count == 2)
    }

    @Test func `what one call has no room for is left for the next`() async throws {
        let long = String(repeating: "word ", count: 700)
        let sayings = (0..<4).map { Self.saying(long, "Yes.", at: Double($0)) }
        let (_, read) = try await extract(["none"], sayings)
        #expect(read == sayings.prefix(2).map(\.message))
        let endless = Self.saying(String(repeating: "word ", count: 12_000), nil, at: 0)
        #expect(try await extract(["none"], [endless, cat]).read == [endless.message])
    }

    @Test func `what only the companion or the model said is dropped, and the log counts it without words`()
        async throws
    {
        let (facts, _) = try await extract(["\(Self.invented)\nrubbish\n\(Self.fact)"], [cat])
        #expect(facts.map(\.fact.subject) == ["cat"])
        let line = try #require(sink.lines.first)
        #expect(line.event == "facts_extracted")
        #expect(line.fields.map(\.value) == [.integer(1), .integer(1), .integer(1), .integer(1)])
        #expect(!line.json.contains("Biscuit") && !line.json.contains("aspirin"))
    }

    @Test(arguments: ["", "none", "I could not find any facts.", invented])
    func `when nothing is left the messages are read all the same`(_ answer: String) async throws {
        let (facts, read) = try await extract([answer], [cat])
        #expect(facts.isEmpty && read == [cat.message])
    }

    @Test func `an endless answer is read up to a limit and stopped`() async throws {
        let model = ScriptedModel(Journal(), [Self.fact + "\n"] + Array(repeating: "blah blah\n", count: 9_999))
        #expect(try await extract(model, [cat]).facts.count == 1)
        #expect(model.stopped.isSettled)
        #expect(model.journal.events.count < 1_000)
    }

    @Test func `an empty reply of the model means no facts`() async throws {
        #expect(try await extract(ScriptedModel(Journal(), [], then: .fails(.empty)), [cat]).facts.isEmpty)
    }

    @Test(arguments: [ModelError.cutOff(pieces: 1), .unreachable(reason: "refused"), .overloaded(inFlight: 4)])
    func `a model that fails halfway leaves all to be read again`(_ error: ModelError) async {
        let model = ScriptedModel(Journal(), [Self.fact + "\n"], then: .fails(error))
        await #expect(throws: JobFailure.model(error)) { try await extract(model, [cat]) }
        #expect(model.stopped.isSettled)
    }

    @Test func `a talk that has gone asks no model, and ends its job`() async throws {
        let journal = Journal()
        let jobs = extraction(ScriptedModel(journal, [Self.fact]))
        let job = Job(
            id: 1,
            tenant: patient.tenant,
            patient: patient.id,
            work: .readFacts(ConversationID()),
            attempts: 0
        )
        #expect(try await jobs.perform(job, by: .soon) == .facts([], read: []))
        #expect(journal.events.isEmpty)
    }

    private static func saying(_ said: String, _ answered: String?, at seconds: Double) -> Job.Saying {
        let at = Date(timeIntervalSince1970: 1_772_000_000 + seconds)
        return Job.Saying(MessageID(), PatientMemory.Exchange(said: said, answered: answered, at: at))
    }

    private func extract(
        _ pieces: [String],
        _ sayings: [Job.Saying]
    ) async throws -> (facts: [SourcedFact], read: [MessageID]) {
        try await extract(ScriptedModel(Journal(), pieces), sayings)
    }

    private func extract(
        _ model: ScriptedModel,
        _ sayings: [Job.Saying]
    ) async throws -> (facts: [SourcedFact], read: [MessageID]) {
        let effect = try await extraction(model).facts(in: sayings, of: patient, by: .soon)
        guard case .facts(let facts, let read) = effect else {
            Issue.record("it was \(effect)")
            return ([], [])
        }
        return (facts, read)
    }

    private func extraction(_ model: ScriptedModel) -> FactExtraction {
        FactExtraction(composer: ScriptedComposer(), model: model, log: Log(to: sink))
    }
}
