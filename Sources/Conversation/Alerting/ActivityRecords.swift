package import Foundation
package import Runtime

/// What a device says of itself and its owner every quarter of an hour.
package struct Heartbeat: Sendable, Equatable {
    /// About whom.
    package let patient: PatientID
    /// Whose customer the patient is.
    package let tenant: TenantID
    /// When, by the device's clock.
    package let at: Date
    /// What made the device speak: "heartbeat" unless it says otherwise.
    package let kind: String
    /// Whether the app is in front.
    package let appState: String
    /// When the patient last did something, as far as the device knows: used it, or moved it.
    package let activeAt: Date?
    /// How full the battery was, 0 to 1.
    package let battery: Double?
    /// Whatever else it said, as JSON; nil when nothing.
    package let context: [UInt8]?

    /// Makes a heartbeat.
    package init(
        of patient: PatientID,
        tenant: TenantID,
        at date: Date,
        kind: String,
        appState: String,
        activeAt: Date?,
        battery: Double?,
        context: [UInt8]?
    ) {
        self.patient = patient
        self.tenant = tenant
        at = date
        self.kind = kind
        self.appState = appState
        self.activeAt = activeAt
        self.battery = battery
        self.context = context
    }
}

/// What a device is to do after a heartbeat.
package enum PendingAction: Sendable, Equatable {
    /// Ask whether the patient is well: a fall is suspected, and people are told at an instant.
    case confirmFall(FallID, until: Date)
    /// Ask how the patient is: nothing was heard for longer than usual.
    case checkIn(AlertID)
}

/// A patient who has been quiet for as long as was expected.
package struct QuietPatient: Sendable, Equatable {
    /// Whose customer the patient is.
    package let tenant: TenantID
    /// Who.
    package let patient: PatientID

    /// Makes a quiet patient from the record.
    package init(tenant: TenantID, patient: PatientID) {
        self.tenant = tenant
        self.patient = patient
    }
}

/// When a patient was active lately.
package struct ActivityHistory: Sendable, Equatable {
    /// Where the patient lives in time.
    package let timeZone: TimeZone
    /// When the patient was active in the last four weeks, in order.
    package let instants: [Date]
    /// The end of the quiet that people were last told of; nil when they never were.
    package let alertedFor: Date?

    /// Makes a history from the record.
    package init(timeZone: TimeZone, instants: [Date], alertedFor: Date?) {
        self.timeZone = timeZone
        self.instants = instants
        self.alertedFor = alertedFor
    }
}

/// What devices say of their owners' activity, and who has been quiet for long.
package protocol ActivityRecords: Sendable {
    /// Writes a heartbeat; returns what the device is to do.
    ///
    /// A suspected fall of a patient who has done something since is over.
    func take(_ beat: Heartbeat, by deadline: Deadline) async throws(RecordsError) -> [PendingAction]

    /// Takes patients who have been quiet for as long as was expected, and keeps them from other replicas for a while.
    func takeQuiet(limit: Int, lease: Duration, by deadline: Deadline) async throws(RecordsError) -> [QuietPatient]

    /// When a patient was active lately; nil when the patient is gone.
    func activity(of quiet: QuietPatient, by deadline: Deadline) async throws(RecordsError) -> ActivityHistory?

    /// Notes how long a patient may be quiet, when to look again, and for which quiet people were told.
    func expect(
        _ patience: Duration,
        of quiet: QuietPatient,
        lookAgainAt date: Date,
        alertedFor: Date?,
        by deadline: Deadline
    ) async throws(RecordsError)
}
