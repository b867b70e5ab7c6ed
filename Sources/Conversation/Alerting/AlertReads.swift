package import Foundation
package import Runtime

/// An alert as a list shows it.
package struct AlertSummaryLine: Sendable, Equatable {
    /// Which alert.
    package let id: AlertID
    /// About whom.
    package let patient: PatientID
    /// How soon.
    package let level: Level
    /// What about.
    package let category: Category
    /// Where it stands.
    package let state: AlertState
    /// When it was raised.
    package let raisedAt: Date
    /// When it was taken on; nil when nobody has.
    package let acknowledgedAt: Date?

    /// Makes a line from the record.
    package init(
        id: AlertID,
        patient: PatientID,
        level: Level,
        category: Category,
        state: AlertState,
        raisedAt: Date,
        acknowledgedAt: Date?
    ) {
        self.id = id
        self.patient = patient
        self.level = level
        self.category = category
        self.state = state
        self.raisedAt = raisedAt
        self.acknowledgedAt = acknowledgedAt
    }
}

/// One line of an alert's history: who knew what when.
package struct AlertHistoryLine: Sendable, Equatable {
    /// When.
    package let at: Date
    /// What the alert, or the dispatch, became.
    package let state: String
    /// Who or what made it so.
    package let actor: String
    /// By which way and to whom; empty for the alert itself.
    package let dispatch: String
    /// A short fact about it.
    package let note: String

    /// Makes a line from the record.
    package init(at date: Date, state: String, actor: String, dispatch: String, note: String) {
        at = date
        self.state = state
        self.actor = actor
        self.dispatch = dispatch
        self.note = note
    }
}

/// What operators read of alerts.
package protocol AlertReads: Sendable {
    /// A tenant's alerts, newest first, at most so many.
    ///
    /// - Parameter onlyOpen: Whether those that somebody has taken on, or that are over, are left out.
    func alerts(
        of tenant: TenantID,
        onlyOpen: Bool,
        limit: Int,
        by deadline: Deadline
    ) async throws(RecordsError) -> [AlertSummaryLine]

    /// An alert of a tenant; nil when there is none.
    func alert(
        _ id: AlertID,
        of tenant: TenantID,
        by deadline: Deadline
    ) async throws(RecordsError) -> AlertSummaryLine?

    /// Everything that happened to an alert, in order.
    func history(
        of alert: AlertID,
        patient: PatientID,
        tenant: TenantID,
        by deadline: Deadline
    ) async throws(RecordsError) -> [AlertHistoryLine]
}
