/// Notifies people of alerts while the system of record, which contains the outbox, cannot be written.
///
/// Delivers an alert until the record stores its message. The writer first asks for the notifications so far and
/// stores them with the alert, so that nobody is notified twice.
package protocol SpooledAlertDelivery: Sendable {
    /// Delivers alerts from the spool; returns at once and continues in the background.
    ///
    /// - Parameter memory: The known data of the patient and the contacts; nil when there is none.
    func deliver(_ alerts: [Alert], of turn: Turn, knowing memory: PatientMemory?)

    /// Continues an alert of an earlier process.
    ///
    /// - Parameter fall: The fall of the alert; nil without one.
    func resume(_ alertCase: AlertCase, fall: FallID?)

    /// Stops the delivery of alerts because the record is about to store them; returns the notifications so far.
    ///
    /// - Returns: Nil while a message is on its way to a provider; then nothing is stopped.
    func handOver(_ alerts: [AlertID]) -> [AlertCase]?

    /// Continues the delivery because the record did not store the alerts.
    func takeBack(_ alerts: [AlertID])

    /// Forgets alerts that the record has stored.
    func forget(_ alerts: [AlertID])
}
