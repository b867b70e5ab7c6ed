/// Takes alerts to people while the system of record, whose outbox does that otherwise, cannot be written.
///
/// An alert is told from here until the record takes its message: whoever writes it there first asks for what was done, so
/// that it arrives together with the alert and nobody is told a second time.
package protocol SpooledAlertDelivery: Sendable {
    /// Takes on alerts that wait in the spool; returns at once, and delivery goes on by itself.
    ///
    /// - Parameter memory: What is known of the patient and of those who may be told; nil when nothing is.
    func deliver(_ alerts: [Alert], of turn: Turn, knowing memory: PatientMemory?)

    /// Goes on with an alert that an earlier process left.
    ///
    /// - Parameter fall: The fall that it is of; nil when it is of none.
    func resume(_ alertCase: AlertCase, fall: FallID?)

    /// Stops telling of alerts, because the record is about to take them; what was done about each, as far as anything was.
    ///
    /// - Returns: Nil while a message is on its way to a provider: then nothing is stopped.
    func handOver(_ alerts: [AlertID]) -> [AlertCase]?

    /// Goes on where it was stopped: the record did not take the alerts.
    func takeBack(_ alerts: [AlertID])

    /// Forgets alerts: they are the record's now.
    func forget(_ alerts: [AlertID])
}
