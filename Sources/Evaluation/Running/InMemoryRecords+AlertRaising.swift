package import Domain
package import Runtime

/// Alerts that come from no message, in memory.
extension InMemoryRecords: AlertRaising {
    package func raise(
        _ raised: RaisedAlert,
        lease: Duration?,
        by deadline: Deadline
    ) async throws(RecordsError) -> (entry: OutboxEntry, isReplay: Bool) {
        try household(raised.patient, raised.tenant) { household throws(RecordsError) in
            let key = raised.key.map { "alert \($0)" }
            if let key, let earlier = household.requests[key] {
                guard earlier == raised.fingerprint else { throw .keyTaken(key) }
                let alert = household.raised[key] ?? raised.alert.id
                return (OutboxEntry(tenant: raised.tenant, patient: raised.patient, alert: alert, attempts: 1), true)
            }
            if let key { (household.requests[key], household.raised[key]) = (raised.fingerprint, raised.alert.id) }
            household.alerts.append(raised.alert)
            let entry = OutboxEntry(tenant: raised.tenant, patient: raised.patient, alert: raised.alert.id, attempts: 1)
            return (entry, false)
        }
    }
}
