package import Conversation
package import Runtime

/// What jobs read and write: exchanges and facts.
extension InMemoryRecords: ExchangeRecords {
    package func exchange(
        of message: MessageID,
        patient: PatientID,
        tenant: TenantID,
        by deadline: Deadline
    ) async throws(RecordsError) -> PatientMemory.Exchange? {
        try household(patient, tenant) { household in
            let record = household.messages.first { $0.record.id == message }?.record
            guard let record, let answered = record.answered else { return nil }
            return .init(said: record.said, answered: answered, at: record.spokenAt)
        }
    }

    package func patient(
        _ id: PatientID,
        tenant: TenantID,
        by deadline: Deadline
    ) async throws(RecordsError) -> Patient? {
        do {
            return try household(id, tenant) { $0.patient }
        } catch .unknownPatient {
            return nil
        }
    }

    package func store(
        _ facts: [Fact],
        from message: MessageID,
        patient: PatientID,
        tenant: TenantID,
        by deadline: Deadline
    ) async throws(RecordsError) {
        try household(patient, tenant) { household in
            for fact in facts {
                if !fact.kind.isProtected {
                    household.facts.removeAll { $0.kind == fact.kind && $0.subject == fact.subject }
                }
                household.facts.append(fact)
            }
        }
    }
}
