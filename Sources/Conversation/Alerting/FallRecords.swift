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
package struct FallEvent: Sendable, Equatable {
    /// What it says.
    package enum Kind: String, Sendable, CaseIterable {
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
        fingerprint: String = ""
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

    /// Makes an outcome.
    package init(event: FallEventID, fall: FallID?, state: State, isReplay: Bool) {
        self.event = event
        self.fall = fall
        self.state = state
        self.isReplay = isReplay
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
