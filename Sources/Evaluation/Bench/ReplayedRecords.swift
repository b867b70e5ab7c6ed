import Conversation
import Runtime
import Synchronization

/// Records for a replayed turn: returns a given memory, stores nothing, and collects the alerts that would be raised.
final class ReplayedRecords: PatientRecords {
    private let memory: PatientMemory
    private let raised = Mutex<[Alert]>([])

    init(_ memory: PatientMemory) {
        self.memory = memory
    }

    /// Alerts that would have been raised.
    var alerts: [Alert] { raised.withLock { $0 } }

    func remember(_ turn: Turn, by deadline: Deadline) async throws(RecordsError) -> PatientMemory { memory }

    func record(_ turn: RecordedTurn, by deadline: Deadline) async throws(RecordsError) {
        raised.withLock { $0 += turn.decision.alerts }
    }

    func raise(
        _ alert: Alert,
        of message: MessageID,
        patient: PatientID,
        tenant: TenantID,
        by deadline: Deadline
    ) async throws(RecordsError) -> TriageEffect {
        raised.withLock { $0.append(alert) }
        return .written
    }

    func commit(_ turn: CommittedTurn, by deadline: Deadline) async throws(RecordsError) -> MemoryPlace? { nil }
}
