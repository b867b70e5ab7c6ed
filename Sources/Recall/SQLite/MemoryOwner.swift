import Domain

/// The patient and tenant of some memories.
struct MemoryOwner: Sendable {
    let patient: PatientID
    let tenant: TenantID
}

extension MemoryOwner {
    init(_ memory: StoredMemory) {
        self.init(patient: memory.patient, tenant: memory.tenant)
    }
}
