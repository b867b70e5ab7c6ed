import Foundation
import Runtime
import Synchronization
import TestSupport
import Testing

@testable import Conversation
@testable import Domain

/// An exchange becomes a memory of its patient, once.
struct ExchangeEmbeddingTests {
    private let patient = Patient(id: PatientID(), tenant: TenantID(), name: "Maggie", timeZone: .gmt)
    private let message = MessageID()
    private let at = Date(timeIntervalSince1970: 1_772_000_000)

    @Test(arguments: [
        ("My cat is Biscuit.", "A sweet name!", "My cat is Biscuit. / A sweet name!"),
        ("My cat is Biscuit.", nil, "My cat is Biscuit."),
        ("My cat is Biscuit.", "", "My cat is Biscuit."),
        (String(repeating: "a", count: 4_000), "b", String(repeating: "a", count: 1_000) + " / b"),
        ("a", String(repeating: "b", count: 4_000), "a / " + String(repeating: "b", count: 300)),
        ("7", "Seven what?", "7 / Seven what?"),
        ("…", "I am here.", nil), ("", "I am here.", nil), ("👵🏽", nil, nil), (" ?! ", "Pardon?", nil),
    ])
    func `the memory is what was said and what was answered`(_ said: String, _ answered: String?, _ text: String?) {
        #expect(ExchangeEmbedding.text(of: .init(said: said, answered: answered, at: at)) == text)
    }

    @Test func `the memory has the message's identity, its patient and its time`() async throws {
        let recall = KeptMemories()
        try await store(.init(said: "My cat.", answered: "A cat!", at: at), with: recall)
        let memory = StoredMemory(
            id: MemoryID(message.uuid),
            patient: patient.id,
            tenant: patient.tenant,
            text: "My cat. / A cat!",
            at: at
        )
        #expect(recall.memories == [memory])
        #expect(recall.sayings == ["My cat."])
    }

    @Test func `an exchange that has gone or holds no word leaves nothing to do`() async throws {
        let recall = KeptMemories()
        try await store(nil, with: recall)
        try await store(.init(said: "…", answered: "I am here.", at: at), with: recall)
        #expect(recall.memories.isEmpty)
    }

    @Test func `a failure of recall is the job's`() async throws {
        let full = RecallError.overloaded(waiting: 256)
        await #expect(throws: JobFailure.recall(full)) {
            try await store(.init(said: "My cat.", answered: nil, at: at), with: KeptMemories(failure: full))
        }
    }

    private func store(_ exchange: PatientMemory.Exchange?, with recall: KeptMemories) async throws {
        let job = Job(
            id: 1,
            tenant: patient.tenant,
            patient: patient.id,
            work: .embedExchange(message),
            attempts: 0,
            subject: exchange.map { .exchange($0) } ?? .gone
        )
        let jobs = ExchangeEmbedding(recall: recall)
        #expect(try await jobs.perform(job, by: .soon) == .nothing)
    }
}

/// Recall that keeps what it is given.
private final class KeptMemories: MemoryRecall {
    let canStore = true
    private let kept = Mutex<[(memory: StoredMemory, said: String)]>([])
    private let failure: RecallError?

    init(failure: RecallError? = nil) {
        self.failure = failure
    }

    var memories: [StoredMemory] { kept.withLock { $0.map(\.memory) } }
    var sayings: [String] { kept.withLock { $0.map(\.said) } }

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
        if let failure { throw failure }
        kept.withLock { $0.append((memory, said)) }
        return []
    }
}
