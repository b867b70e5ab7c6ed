package import Foundation
package import Runtime
import Synchronization

/// What was remembered of patients who spoke lately, for when memory cannot be read.
///
/// Kept up to date with what is said meanwhile, so that a question that we asked can still be answered. Holds so many
/// patients at most; the one who has been silent for longest goes first.
package final class RecentMemories: Sendable {
    private struct Key: Hashable {
        let tenant: TenantID
        let patient: PatientID
    }

    private struct Entry {
        let memory: PatientMemory
        let at: Date
    }

    /// For how long a conversation goes on without a message.
    private static let quietTime: TimeInterval = 30 * 60
    private static let exchanges = 10
    private let capacity: Int
    private let lasting: (any KnownPatientsKeeping)?
    private let entries = Mutex(LeastRecentlyUsed<Key, Entry>())

    /// Makes an empty store.
    ///
    /// - Parameter lasting: Keeps who patients are beyond the end of the process; nil when nothing does.
    package init(capacity: Int = 5_000, lasting: (any KnownPatientsKeeping)? = nil) {
        self.capacity = capacity
        self.lasting = lasting
    }

    /// Keeps what was read of a patient.
    package func keep(_ memory: PatientMemory, at date: Date) {
        lasting?.keep(memory.patient, reachable: memory.reachable)
        note(memory, at: date)
    }

    private func note(_ memory: PatientMemory, at date: Date) {
        let key = Key(tenant: memory.patient.tenant, patient: memory.patient.id)
        entries.withLock { entries in
            entries.insert(Entry(memory: memory.without(earlier: true), at: date), for: key, cost: 1)
            entries.evict(to: capacity)
        }
    }

    /// What is known of a patient; nil when nothing is.
    ///
    /// Without the conversation when that has gone quiet.
    package func memory(of patient: PatientID, tenant: TenantID, at date: Date) -> PatientMemory? {
        let entry = entries.withLock { $0.use(Key(tenant: tenant, patient: patient)) }
        guard let entry else { return nil }
        let isQuiet = date.timeIntervalSince(entry.at) > Self.quietTime
        return isQuiet ? entry.memory.without(conversation: true) : entry.memory
    }

    /// Takes note of an exchange with a patient of whom something is known.
    func note(_ opened: OpenedTurn, _ reply: Reply, at date: Date) {
        guard let memory = opened.memory else { return }
        let exchange = PatientMemory.Exchange(said: opened.turn.text, answered: reply.text, at: opened.turn.spokenAt)
        var next = memory
        next.exchanges = Array((memory.exchanges + [exchange]).suffix(Self.exchanges))
        next.conversation = opened.conversation
        next.conversationBundle = reply.promptVersion
        next.state = opened.decision.state
        if let open = memory.openAlerts {
            next.openAlerts = open.union(opened.decision.alerts.map(\.category))
        }
        note(next, at: date)
    }
}

extension RecentMemories: KnownPatients {
    package func known(_ patient: PatientID, of tenant: TenantID, by deadline: Deadline) async -> PatientMemory? {
        if let memory = memory(of: patient, tenant: tenant, at: Date()) { return memory }
        return await lasting?.known(patient, of: tenant, by: deadline)
    }
}

extension PatientMemory {
    /// This memory without an earlier answer, or without what belongs to a conversation that is over.
    fileprivate func without(earlier isLeftOut: Bool = false, conversation isOver: Bool = false) -> PatientMemory {
        var memory = self
        if isLeftOut { memory.earlier = nil }
        if isOver { (memory.conversation, memory.conversationBundle, memory.state) = (nil, nil, ConversationState()) }
        return memory
    }
}
