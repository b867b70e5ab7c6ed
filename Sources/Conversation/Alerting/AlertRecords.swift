package import Foundation
package import Runtime

/// Stores the outbox of alerts and the state of each, for their senders.
package protocol AlertRecords: AlertRaising {
    /// Claims due alerts, the most severe first, and leases them from other replicas.
    ///
    /// - Parameter level: The least severe level to claim.
    func takeAlerts(
        limit: Int,
        atLeast level: Level,
        lease: Duration,
        by deadline: Deadline
    ) async throws(RecordsError) -> [OutboxEntry]

    /// Claims the alert that has been due longest, of any severity, if that is longer than `wait`; nil when there is
    /// none.
    func takeLongestDue(
        beyond wait: Duration,
        lease: Duration,
        by deadline: Deadline
    ) async throws(RecordsError) -> OutboxEntry?

    /// Returns all data that the next step of an alert depends on; nil when the alert no longer exists.
    func alertCase(of entry: OutboxEntry, by deadline: Deadline) async throws(RecordsError) -> AlertCase?

    /// Stores the changes of a pass.
    ///
    /// Changes of another replica in the meantime remain: a dispatch never goes back, and a closed alert is never
    /// reopened.
    func store(_ progress: AlertProgress, of entry: OutboxEntry, by deadline: Deadline) async throws(RecordsError)

    /// Marks a push token as invalid, so that it is not used again.
    func forgetDevice(
        _ token: String,
        of contact: ContactID,
        patient: PatientID,
        tenant: TenantID,
        by deadline: Deadline
    ) async throws(RecordsError)
}

/// Stores alerts that come from no message.
package protocol AlertRaising: Sendable {
    /// Writes an alert that comes from no message with its outbox row, in one transaction.
    ///
    /// `{name}` in its summary becomes the patient's name.
    ///
    /// - Parameter lease: The caller's lease on the row; nil leaves the row to the next sender.
    /// - Returns: The row, and true if the key was used before. In that case nothing is written and the row is the
    ///   earlier alert's.
    /// - Throws: ``RecordsError/keyTaken(_:)`` when the key was used with another fingerprint, and
    ///   ``RecordsError/unknownPatient(_:)``.
    func raise(
        _ raised: RaisedAlert,
        lease: Duration?,
        by deadline: Deadline
    ) async throws(RecordsError) -> (entry: OutboxEntry, isReplay: Bool)
}

/// An alert from a button, a sensor or another server.
package struct RaisedAlert: Sendable, Equatable, Codable {
    /// The alert.
    package let alert: Alert
    /// The patient concerned.
    package let patient: PatientID
    /// The patient's tenant.
    package let tenant: TenantID
    /// The place of the patient and the state of the device.
    package let details: AlertDetails
    /// The only channels to use; nil allows all.
    package let channels: [AlertChannel]?
    /// The event that it notifies of, independent of other open alerts; nil when there is none.
    package let event: UUID?
    /// The caller's idempotency key; nil without one.
    package let key: String?
    /// True if the key was derived from the body and is valid for a minute.
    ///
    /// A repetition is then ignored only while people are being notified.
    package let isKeyOfBody: Bool
    /// A digest of the request; a different request under the same key is refused.
    package let fingerprint: String
    /// The time when it was raised, if that was before it could be recorded; nil when it is raised now.
    package var raisedAt: Date?
    /// The notifications sent before it could be recorded; nil when there were none.
    package var told: AlertCase?

    package init(
        _ alert: Alert,
        of patient: PatientID,
        tenant: TenantID,
        details: AlertDetails = AlertDetails(),
        channels: [AlertChannel]? = nil,
        event: UUID? = nil,
        key: String? = nil,
        isKeyOfBody: Bool = false,
        fingerprint: String = ""
    ) {
        self.alert = alert
        self.patient = patient
        self.tenant = tenant
        self.details = details
        self.channels = channels
        self.event = event
        self.key = key
        self.isKeyOfBody = isKeyOfBody
        self.fingerprint = fingerprint
    }

    /// A copy as a separate alert without a key.
    package var anew: RaisedAlert {
        RaisedAlert(
            Alert(
                level: alert.level,
                category: alert.category,
                finding: alert.finding,
                summary: alert.summary,
                lateBy: alert.lateBy
            ),
            of: patient,
            tenant: tenant,
            details: details,
            channels: channels,
            event: event,
            fingerprint: fingerprint
        )
    }
}
