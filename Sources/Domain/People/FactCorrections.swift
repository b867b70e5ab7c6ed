package import Foundation
package import Runtime

/// Corrects what is known of a patient, on behalf of an operator.
package protocol FactCorrections: Sendable {
    /// Replaces the words of a current fact; the old fact stays as history.
    ///
    /// - Returns: False when there is no such current fact.
    func correct(
        _ fact: FactID,
        of patient: PatientID,
        tenant: TenantID,
        to text: String,
        at date: Date,
        by deadline: Deadline
    ) async throws(RecordsError) -> Bool

    /// Deletes a fact with the older facts that it replaced.
    ///
    /// - Returns: False when there is no such fact.
    func delete(
        _ fact: FactID,
        of patient: PatientID,
        tenant: TenantID,
        by deadline: Deadline
    ) async throws(RecordsError) -> Bool
}
