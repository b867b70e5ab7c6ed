package import Runtime

/// Keeps patients and their contacts across restarts.
package protocol PatientCache: LastKnownPatients {
    /// Keeps the data of a patient that the record has just returned; returns at once.
    func keep(_ patient: Patient, reachable contacts: [ContactDetails])

    /// Forgets a patient and the contacts; returns at once.
    func forget(_ patient: PatientID, of tenant: TenantID)
}

/// Gives the last known data of patients while the system of record is unavailable.
package protocol LastKnownPatients: Sendable {
    /// Returns the last known data of a patient and the contacts; nil when there is none.
    func known(_ patient: PatientID, of tenant: TenantID, by deadline: Deadline) async -> PatientMemory?
}
