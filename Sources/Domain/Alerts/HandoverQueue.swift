package import Foundation
package import Runtime

/// A handover that nobody accepted in time.
package struct DueHandover: Sendable, Equatable {
    package let tenant: TenantID
    package let patient: PatientID
    /// The operator who handed over, and gets the alerts back.
    package let giver: OperatorID
    /// The operator who did not accept.
    package let taker: OperatorID

    package init(tenant: TenantID, patient: PatientID, giver: OperatorID, taker: OperatorID) {
        self.tenant = tenant
        self.patient = patient
        self.giver = giver
        self.taker = taker
    }
}

/// Gives the handovers that wait too long, on any number of replicas.
package protocol HandoverQueue: Sendable {
    /// Returns the handovers that are due, the longest overdue first.
    func dueHandovers(limit: Int, at date: Date, by deadline: Deadline) async throws(RecordsError) -> [DueHandover]

    /// Gives the alerts of a handover back, and stores a mail to each of both who is a user.
    ///
    /// The giver has to accept them, and sees them on every page until then.
    ///
    /// - Returns: False if it was accepted meanwhile, replaced, or given back by another replica.
    func giveBack(_ handover: DueHandover, at date: Date, by deadline: Deadline) async throws(RecordsError) -> Bool
}
