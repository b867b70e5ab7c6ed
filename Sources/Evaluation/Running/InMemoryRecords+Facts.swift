package import Conversation
package import Runtime

/// Fact records in memory.
extension InMemoryRecords: FactRecords {
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
