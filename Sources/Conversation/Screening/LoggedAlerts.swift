package import Runtime

/// Says in the log, at its highest level and without patient's words, that somebody must be told: for a service without a
/// channel of its own while its database is away.
package struct LoggedAlerts: SpooledAlertDelivery {
    private let log: Log

    /// Makes a delivery that writes to a log.
    package init(_ log: Log) {
        self.log = log
    }

    package func deliver(_ alerts: [Alert], of turn: Turn, to contacts: [Contact]) {
        for alert in alerts {
            log.error(
                "alert_waits_in_spool",
                "alert_id" ~ alert.id.description,
                "level" ~ alert.level.rawValue,
                "category" ~ alert.category.rawValue,
                "patient_id" ~ turn.patient.description
            )
        }
    }
}
