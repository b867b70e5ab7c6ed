package import Runtime

/// What this process knows of patients when the system of record cannot be asked: as it last saw it, or nothing.
package protocol KnownPatients: Sendable {
    /// Who a patient is and whom to tell, as far as anything is known.
    func known(_ patient: PatientID, of tenant: TenantID, by deadline: Deadline) async -> PatientMemory?
}

/// Keeps who patients are and whom to tell beyond the end of the process.
package protocol KnownPatientsKeeping: KnownPatients {
    /// Keeps what the record has just shown of a patient; returns at once.
    func keep(_ patient: Patient, reachable contacts: [ContactDetails])
}
