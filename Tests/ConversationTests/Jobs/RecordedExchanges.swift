import Conversation
import Runtime
import Synchronization

/// One patient's exchange in memory, and the facts that were stored from it.
final class RecordedExchanges: ExchangeRecords {
    /// Facts and the message that they were said in.
    struct Stored: Sendable {
        let facts: [Fact]
        let message: MessageID
        let patient: PatientID
        let tenant: TenantID
    }

    private let known: Patient
    private let exchange: PatientMemory.Exchange?
    private let failure: RecordsError?
    private let kept = Mutex<[Stored]>([])

    init(_ patient: Patient, _ exchange: PatientMemory.Exchange?, failure: RecordsError? = nil) {
        known = patient
        self.exchange = exchange
        self.failure = failure
    }

    /// What was stored, in order.
    var stored: [Stored] { kept.withLock { $0 } }

    func exchange(
        of message: MessageID,
        patient: PatientID,
        tenant: TenantID,
        by deadline: Deadline
    ) async throws(RecordsError) -> PatientMemory.Exchange? {
        if let failure { throw failure }
        return patient == known.id && tenant == known.tenant ? exchange : nil
    }

    func patient(_ id: PatientID, tenant: TenantID, by deadline: Deadline) async throws(RecordsError) -> Patient? {
        if let failure { throw failure }
        return id == known.id && tenant == known.tenant ? known : nil
    }

    func store(
        _ facts: [Fact],
        from message: MessageID,
        patient: PatientID,
        tenant: TenantID,
        by deadline: Deadline
    ) async throws(RecordsError) {
        kept.withLock { $0.append(Stored(facts: facts, message: message, patient: patient, tenant: tenant)) }
    }
}
