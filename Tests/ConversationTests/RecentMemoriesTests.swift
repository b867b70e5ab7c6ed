import Conversation
import Domain
import Foundation
import Runtime
import Synchronization
import Testing

/// Memories of patients who spoke lately.
@Suite struct RecentMemoriesTests {
    private static let now = Date(timeIntervalSince1970: 1_772_000_000)

    private static func memory(_ name: String = "Rose") -> PatientMemory {
        PatientMemory(
            patient: Patient(id: PatientID(), tenant: TenantID(), name: name, timeZone: .gmt),
            exchanges: [.init(said: "hello", answered: "Good morning.", at: now)],
            conversation: ConversationID(),
            state: ConversationState(question: .init(kind: .check, category: .fall, level: .high, askedAt: now)),
            earlier: EarlierAnswer(fingerprint: "f", reply: nil, message: MessageID())
        )
    }

    private static func known(
        _ recent: RecentMemories,
        _ memory: PatientMemory,
        after seconds: Double
    ) -> PatientMemory? {
        recent.memory(
            of: memory.patient.id,
            tenant: memory.patient.tenant,
            at: now.addingTimeInterval(seconds)
        )
    }

    @Test func `a patient who spoke lately is known with the open question, and without another message's answer`() {
        let recent = RecentMemories()
        let memory = Self.memory()
        recent.keep(memory, at: Self.now)
        let known = Self.known(recent, memory, after: 60)
        #expect(known?.conversation == memory.conversation)
        #expect(known?.state == memory.state)
        #expect(known?.exchanges == memory.exchanges)
        #expect(known?.earlier == nil)
    }

    @Test func `a conversation that has gone quiet is over, and who spoke in it is still known`() {
        let recent = RecentMemories()
        let memory = Self.memory()
        recent.keep(memory, at: Self.now)
        let known = Self.known(recent, memory, after: 31 * 60)
        #expect(known?.patient == memory.patient)
        #expect(known?.conversation == nil)
        #expect(known?.state == ConversationState())
    }

    @Test func `a stranger, and the same patient of another tenant, are not known`() {
        let recent = RecentMemories()
        let memory = Self.memory()
        recent.keep(memory, at: Self.now)
        #expect(Self.known(recent, Self.memory(), after: 0) == nil)
        #expect(recent.memory(of: memory.patient.id, tenant: TenantID(), at: Self.now) == nil)
    }

    @Test func `who has been silent for longest is forgotten first`() {
        let recent = RecentMemories(capacity: 2)
        let memories = ["Rose", "Anna", "Bob"].map(Self.memory)
        recent.keep(memories[0], at: Self.now)
        recent.keep(memories[1], at: Self.now)
        _ = Self.known(recent, memories[0], after: 1)
        recent.keep(memories[2], at: Self.now)
        #expect(memories.map { Self.known(recent, $0, after: 2)?.patient.name } == ["Rose", nil, "Bob"])
    }

    /// A lasting cache that counts what it is given.
    private final class CountingCache: PatientCache {
        private let names = Mutex<[String]>([])

        /// The names of the patients that it was given, in order.
        var kept: [String] { names.withLock { $0 } }

        func keep(_ patient: Patient, reachable contacts: [ContactDetails]) {
            names.withLock { $0.append(patient.name) }
        }

        func forget(_ patient: PatientID, of tenant: TenantID) {}

        func known(_ patient: PatientID, of tenant: TenantID, by deadline: Deadline) async -> PatientMemory? { nil }
    }

    @Test func `an unchanged patient is given to the lasting cache once a minute, a changed or forgotten one at once`()
    {
        let cache = CountingCache()
        let recent = RecentMemories(lasting: cache)
        var memory = Self.memory()
        for seconds in [0.0, 10, 59] { recent.keep(memory, at: Self.now.addingTimeInterval(seconds)) }
        #expect(cache.kept == ["Rose"])
        recent.keep(memory, at: Self.now.addingTimeInterval(60))
        #expect(cache.kept == ["Rose", "Rose"])
        memory.patient = Patient(id: memory.patient.id, tenant: memory.patient.tenant, name: "Rosa", timeZone: .gmt)
        recent.keep(memory, at: Self.now.addingTimeInterval(61))
        #expect(cache.kept == ["Rose", "Rose", "Rosa"])
        recent.forget(memory.patient.id, of: memory.patient.tenant)
        recent.keep(memory, at: Self.now.addingTimeInterval(62))
        #expect(cache.kept.count == 4)
    }
}
