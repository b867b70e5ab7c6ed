package import Foundation

/// Everything that decides what is to be done about an alert now: the alert, the people, and what was sent already.
package struct AlertCase: Sendable, Equatable, Codable {
    /// Another alert of the same patient that is not closed.
    package struct Related: Sendable, Equatable, Codable {
        /// Which alert.
        package let id: AlertID
        /// How soon.
        package let level: Level
        /// What about.
        package let category: Category
        /// Where it stands.
        package let state: AlertState
        /// When it was raised.
        package let raisedAt: Date
        /// What it says.
        package let summary: String
        /// The event that another server had told by it; nil when none had.
        package let event: UUID?

        /// Makes a related alert.
        package init(
            id: AlertID,
            level: Level,
            category: Category,
            state: AlertState,
            raisedAt: Date,
            summary: String,
            event: UUID? = nil
        ) {
            self.id = id
            self.level = level
            self.category = category
            self.state = state
            self.raisedAt = raisedAt
            self.summary = summary
            self.event = event
        }
    }

    /// What was decided.
    package let alert: Alert
    /// About whom.
    package let patient: Patient
    /// When it was raised; its clock runs from then, or from the end of its hold.
    package let raisedAt: Date
    /// When the message that decided it arrived; when it was raised, if none did.
    package var receivedAt: Date
    /// Where it stands.
    package var state: AlertState
    /// Until when the patient may say that all is well; nil when nobody waits for that.
    package var heldUntil: Date?
    /// When the patient was last active, as far as it matters to a held alert.
    package var lastActiveAt: Date?
    /// The only channels that it may take; nil when every one will do.
    package var channels: [AlertChannel]?
    /// The event that another server has told by it; nil when none has.
    package var event: UUID?
    /// The earlier alert that stands for this one; nil while it stands for itself.
    package var groupedInto: AlertID?
    /// Where the patient is and how the device does, as it said with the alert.
    package var details: AlertDetails
    /// Who may be told.
    package var contacts: [ContactDetails]
    /// What was sent.
    package var dispatches: [Dispatch]
    /// The patient's other open alerts.
    package var related: [Related]

    /// Makes a case; what was not given has not happened.
    package init(
        alert: Alert,
        patient: Patient,
        raisedAt: Date,
        receivedAt: Date? = nil,
        state: AlertState = .recorded,
        heldUntil: Date? = nil,
        lastActiveAt: Date? = nil,
        channels: [AlertChannel]? = nil,
        event: UUID? = nil,
        groupedInto: AlertID? = nil,
        details: AlertDetails = AlertDetails(),
        contacts: [ContactDetails],
        dispatches: [Dispatch] = [],
        related: [Related] = []
    ) {
        self.alert = alert
        self.patient = patient
        self.raisedAt = raisedAt
        self.receivedAt = receivedAt ?? raisedAt
        self.state = state
        self.heldUntil = heldUntil
        self.lastActiveAt = lastActiveAt
        self.channels = channels
        self.event = event
        self.groupedInto = groupedInto
        self.details = details
        self.contacts = contacts
        self.dispatches = dispatches
        self.related = related
    }

    /// Makes the case of an alert that no record holds, from what is known of the patient.
    ///
    /// Of a patient of whom nothing is known only the operators are told; the name is for contacts alone.
    package init(spooled alert: Alert, of turn: Turn, knowing memory: PatientMemory?) {
        self.init(
            alert: alert,
            patient: memory?.patient ?? Patient(id: turn.patient, tenant: turn.tenant, name: "", timeZone: .gmt),
            raisedAt: turn.receivedAt,
            contacts: memory?.reachable ?? []
        )
    }

    /// Makes the case of an alert that a button, a sensor or another server has raised and that no record holds.
    ///
    /// - Parameter held: Until when the patient may say that all is well; nil when nobody waits for that.
    package init(
        spooled raised: RaisedAlert,
        at date: Date,
        heldUntil held: Date? = nil,
        knowing memory: PatientMemory?
    ) {
        let name = memory?.patient.name ?? ""
        let who = name.isEmpty ? "The person you look after" : name
        self.init(
            alert: Alert(
                id: raised.alert.id,
                level: raised.alert.level,
                category: raised.alert.category,
                finding: raised.alert.finding,
                summary: raised.alert.summary.replacing("{name}", with: who),
                lateBy: raised.alert.lateBy
            ),
            patient: memory?.patient
                ?? Patient(id: raised.patient, tenant: raised.tenant, name: "", timeZone: .gmt),
            raisedAt: date,
            state: held == nil ? .recorded : .held,
            heldUntil: held,
            channels: raised.channels,
            event: raised.event,
            details: raised.details,
            contacts: memory?.reachable ?? []
        )
    }

    /// The case with who the patient is and who may be told, as they are known later.
    package func knowing(_ memory: PatientMemory) -> AlertCase {
        AlertCase(
            alert: alert,
            patient: memory.patient,
            raisedAt: raisedAt,
            receivedAt: receivedAt,
            state: state,
            heldUntil: heldUntil,
            lastActiveAt: lastActiveAt,
            channels: channels,
            event: event,
            groupedInto: groupedInto,
            details: details,
            contacts: memory.reachable,
            dispatches: dispatches,
            related: related
        )
    }

    /// The case once nobody waits for the patient any more.
    package var released: AlertCase {
        var released = self
        (released.state, released.heldUntil) = (.recorded, nil)
        return released
    }

    /// Whether it may have been told from a local spool while the record was away: it was recorded long after it arrived.
    package var mayHaveBeenSpooled: Bool { raisedAt.timeIntervalSince(receivedAt) > 5 }
}
