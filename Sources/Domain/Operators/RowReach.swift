/// The patients whose rows the present task may read and write, beside what each check of its own allows.
///
/// Set around a request of a caller who reaches some patients only. The system of record restricts every statement to
/// them, so that a list, a join or a forgotten check shows nobody else.
package enum RowReach {
    /// The patients; nil for all of the tenant.
    @TaskLocal package static var patients: [PatientID]?
    /// The user whose account, sessions, keys and codes are meant; nil for all of the tenant.
    @TaskLocal package static var user: UserID?
}
