package import Foundation
package import Runtime

/// A fall of a patient, from its first suspicion until it is over.
package enum Fall {
    /// How long a patient may say that all is well, before people are told.
    package static let confirmation = Duration.seconds(60)
}

/// Which fall.
package typealias FallID = ID<Fall>
/// Which event of a fall.
package typealias FallEventID = ID<FallEvent>

/// What a device says of a fall.
package struct FallEvent: Sendable, Equatable, Codable {
    /// What it says.
    package enum Kind: String, Sendable, Codable, CaseIterable {
        /// The device felt something like a fall.
        case candidate = "fall_candidate"
        /// Somebody says that it was one.
        case confirmed = "fall_confirmed"
        /// The patient says that all is well.
        case resolved
    }

    /// Which event.
    package let id: FallEventID
    /// About whom.
    package let patient: PatientID
    /// Whose customer the patient is.
    package let tenant: TenantID
    /// What it says.
    package let kind: Kind
    /// The strongest acceleration, in g; nil when unknown.
    package let acceleration: Double?
    /// For how many seconds the device has lain still; nil when unknown.
    package let stillFor: Int?
    /// Where the patient is and how the device does.
    package let details: AlertDetails
    /// The caller's name for it; nil when it has none.
    package let key: String?
    /// What the caller said, in short.
    package let fingerprint: String
    /// The fall that it begins, if it begins one.
    package let fall: FallID
    /// The alert of the fall that it begins.
    package let alert: AlertID
    /// When it was taken, where that was before it could be recorded; nil when it is taken now.
    package var takenAt: Date?
    /// How far people were told of its alert before it could be recorded; nil when nobody was.
    package var told: AlertCase?

    /// Makes an event.
    package init(
        id: FallEventID = FallEventID(),
        of patient: PatientID,
        tenant: TenantID,
        kind: Kind,
        acceleration: Double? = nil,
        stillFor: Int? = nil,
        details: AlertDetails = AlertDetails(),
        key: String? = nil,
        fingerprint: String = "",
        fall: FallID = FallID(),
        alert: AlertID = AlertID()
    ) {
        self.id = id
        self.patient = patient
        self.tenant = tenant
        self.kind = kind
        self.acceleration = acceleration
        self.stillFor = stillFor
        self.details = details
        self.key = key
        self.fingerprint = fingerprint
        self.fall = fall
        self.alert = alert
    }

    /// The alert of the fall that it begins; a suspected one is held while the patient may say that all is well.
    package var raised: RaisedAlert {
        let isConfirmed = kind == .confirmed
        return RaisedAlert(
            Alert(
                id: alert,
                level: isConfirmed ? .high : .critical,
                category: .fall,
                finding: nil,
                summary: isConfirmed
                    ? "{name} has fallen and says so. Please call at once."
                    : "{name} may have fallen and has not answered for a minute. Act now.",
                lateBy: 0
            ),
            of: patient,
            tenant: tenant,
            details: details
        )
    }
}

/// Where a fall stands after an event.
package struct FallOutcome: Sendable, Equatable {
    /// Where a fall stands.
    package enum State: String, Sendable, CaseIterable {
        /// Nothing is known of a fall.
        case idle
        /// The patient is asked.
        case candidate
        /// People are told.
        case alerted
        /// It is over.
        case resolved
    }

    /// Which event; the earlier one when the same key was used before.
    package let event: FallEventID
    /// Which fall; nil when there is none.
    package let fall: FallID?
    /// Where it stands.
    package let state: State
    /// Whether the same key was used before.
    package let isReplay: Bool
    /// Whether the event is durable: in the record, or on a disk until the record takes it.
    package let isDurable: Bool

    /// Makes an outcome.
    package init(event: FallEventID, fall: FallID?, state: State, isReplay: Bool, isDurable: Bool = true) {
        self.event = event
        self.fall = fall
        self.state = state
        self.isReplay = isReplay
        self.isDurable = isDurable
    }
}

/// The falls of patients.
///
/// A suspected fall is a held alert in the outbox: its minute is kept by the record and survives a restart of everything.
package protocol FallRecords: Sendable {
    /// Takes an event and moves the patient's fall on.
    ///
    /// - Throws: ``RecordsError/keyTaken(_:)`` when the key was used for another event, and
    ///   ``RecordsError/unknownPatient(_:)``.
    func take(_ event: FallEvent, by deadline: Deadline) async throws(RecordsError) -> FallOutcome
}
