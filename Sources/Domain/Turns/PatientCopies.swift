package import Runtime

/// A place outside the system of record that keeps copies of patients' data.
package protocol PatientCopies: Sendable {
    /// Name of the place in the log.
    var place: String { get }

    /// Removes every copy of an erased patient's data, also from files that were deleted in part.
    ///
    /// - Throws: An error if some may be left; the call is then repeated later.
    func erase(_ patient: PatientID, of tenant: TenantID, by deadline: Deadline) async throws
}

/// Copies of what patients said, which are read anew from the system of record when they are needed.
package protocol MemoryCopies: PatientCopies {
    /// Removes every copy of the words of some patients, at the cost of removing one.
    ///
    /// - Throws: An error if some may be left; the call is then repeated later.
    func erase(_ patients: Set<PatientID>, of tenant: TenantID, by deadline: Deadline) async throws

    /// Removes every copy of the words of some tenants' patients, at the cost of removing one.
    ///
    /// - Throws: An error if some may be left; the call is then repeated later.
    func eraseAll(of tenants: Set<TenantID>, by deadline: Deadline) async throws
}

/// Stores the last removal that copies followed, for each tenant; needed for copies that outlast the process.
package protocol RemovalMarks: Sendable {
    /// Returns the last removal that was followed, for each tenant.
    func removalMarks(by deadline: Deadline) async throws -> [TenantID: RemovalTime]

    /// Stores that removals were followed.
    func note(_ followed: [TenantID: RemovalTime], by deadline: Deadline) async throws
}

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
