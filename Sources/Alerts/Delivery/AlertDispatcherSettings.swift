/// Concurrency, leases and polling of the alert outbox.
package struct AlertDispatcherSettings: Sendable, Equatable {
    /// Largest number of alerts in progress at once.
    package var concurrency: Int
    /// Places reserved for high and critical alerts, so that slow providers of lesser alerts delay none of them.
    package var reserved: Int
    /// Largest number of places for the longest due alerts of any level, under overload.
    ///
    /// Without them, severe alerts that fall due repeatedly would take every place.
    package var longestDue: Int
    /// Time since an alert fell due after which it counts as longest due.
    package var patience: Duration
    /// Lease of an alert that was taken; longer than a provider's time limit.
    package var lease: Duration
    /// Pause after the outbox is first found empty.
    package var shortestPause: Duration
    /// Longest pause between two polls; no announcement says that an escalation is due.
    package var longestPause: Duration
    /// Time limit for a call to the records.
    package var recordTime: Duration

    /// Creates settings; the defaults are the service's.
    package init(
        concurrency: Int = 32,
        reserved: Int = 8,
        longestDue: Int = 2,
        patience: Duration = .seconds(60),
        lease: Duration = .seconds(20),
        shortestPause: Duration = .milliseconds(100),
        longestPause: Duration = .seconds(1),
        recordTime: Duration = .seconds(2)
    ) {
        precondition(concurrency > reserved && reserved >= 0, "lesser alerts need a place too")
        precondition(lease > AlertDelivery.sendingTime, "a lease outlasts a request to a provider")
        self.concurrency = concurrency
        self.reserved = reserved
        self.longestDue = longestDue
        self.patience = patience
        self.lease = lease
        self.shortestPause = shortestPause
        self.longestPause = longestPause
        self.recordTime = recordTime
    }
}
