package import Foundation
package import Runtime

/// The outbox of alerts and what the record knows of each, as whoever sends them uses it.
package protocol AlertRecords: AlertRaising {
    /// Takes alerts that are due, the gravest first, and keeps them from other replicas until the lease ends.
    ///
    /// - Parameter level: What is less grave is left.
    func takeAlerts(
        limit: Int,
        atLeast level: Level,
        lease: Duration,
        by deadline: Deadline
    ) async throws(RecordsError) -> [OutboxEntry]

    /// Takes the alert that has been due longest, however grave, if that is longer than `wait`; nil when none has.
    func takeLongestDue(
        beyond wait: Duration,
        lease: Duration,
        by deadline: Deadline
    ) async throws(RecordsError) -> OutboxEntry?

    /// Everything that decides what is to be done about an alert; nil when it is gone.
    func alertCase(of entry: OutboxEntry, by deadline: Deadline) async throws(RecordsError) -> AlertCase?

    /// Stores what a pass has changed.
    ///
    /// What another taker has stored meanwhile stands: a dispatch never goes back, a closed alert is never opened.
    func store(_ progress: AlertProgress, of entry: OutboxEntry, by deadline: Deadline) async throws(RecordsError)

    /// Notes that a push token is no longer good, so that it is not used again.
    func forgetDevice(
        _ token: String,
        of contact: ContactID,
        patient: PatientID,
        tenant: TenantID,
        by deadline: Deadline
    ) async throws(RecordsError)
}

/// Takes alerts that no message decided.
package protocol AlertRaising: Sendable {
    /// Writes an alert that no message decided, with its outbox row, in one transaction; `{name}` in its summary becomes the
    /// patient's name.
    ///
    /// - Parameter lease: For how long the row is kept for the caller; nil leaves it to whoever drains.
    /// - Returns: The row, and whether the same key was used before; then nothing is written and the row is the earlier
    ///   alert's.
    /// - Throws: ``RecordsError/keyTaken(_:)`` when the key was used with another fingerprint, and
    ///   ``RecordsError/unknownPatient(_:)``.
    func raise(
        _ raised: RaisedAlert,
        lease: Duration?,
        by deadline: Deadline
    ) async throws(RecordsError) -> (entry: OutboxEntry, isReplay: Bool)
}

/// An alert that a button, a sensor or another server raises.
package struct RaisedAlert: Sendable, Equatable, Codable {
    /// The alert.
    package let alert: Alert
    /// About whom.
    package let patient: PatientID
    /// Whose customer the patient is.
    package let tenant: TenantID
    /// Where the patient is and how the device does.
    package let details: AlertDetails
    /// The only channels that it may take; nil when every one will do.
    package let channels: [AlertChannel]?
    /// The event that it tells of, by itself beside whatever else is open; nil when it tells of none.
    package let event: UUID?
    /// The caller's name for it; nil when it has none.
    package let key: String?
    /// Whether the key is its body's, which has one for a minute: then it is no news only while people are told of it.
    package let isKeyOfBody: Bool
    /// What the caller said, in short: another under the same key is refused.
    package let fingerprint: String
    /// When it was raised, where that was before it could be recorded; nil when it is raised now.
    package var raisedAt: Date?
    /// How far people were told of it before it could be recorded; nil when nobody was.
    package var told: AlertCase?

    /// Makes an alert to be raised.
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

    /// The same as an alert of its own, which no key names.
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
