package import Runtime

/// A place outside the system of record that keeps copies of patients' data.
package protocol PatientCopies: Sendable {
    /// Name of the place in the log.
    var place: String { get }

    /// Removes every copy of an erased patient's data, also from files that were deleted in part.
    ///
    /// - Throws: When some may be left; the call is then repeated later.
    func erase(_ patient: PatientID, of tenant: TenantID, by deadline: Deadline) async throws
}

/// Copies of what patients said, which are read anew from the system of record when they are needed.
package protocol MemoryCopies: PatientCopies {
    /// Removes every copy of the words of a tenant's patients.
    ///
    /// - Throws: When some may be left; the call is then repeated later.
    func eraseAll(of tenant: TenantID, by deadline: Deadline) async throws
}
