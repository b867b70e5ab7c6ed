/// How alerts are taken from the outbox.
package struct AlertDispatcherSettings: Sendable, Equatable {
    /// How many alerts are worked on at once.
    package var concurrency: Int
    /// How many of those places are kept for what is high or critical, so that slow providers of lesser alerts hold up none.
    package var reserved: Int
    /// How many places, at most, go to what has been due longest, whatever its level, while more is due than can be told:
    /// what is grave and falls due again and again would have every place.
    package var longestDue: Int
    /// How long an alert has been due that is taken so.
    package var patience: Duration
    /// For how long an alert that was taken is kept from other replicas; longer than a provider may take.
    package var lease: Duration
    /// How long the outbox is left alone after it was found empty for the first time.
    package var shortestPause: Duration
    /// How long the outbox is left alone at most: no announcement says that an escalation is due.
    package var longestPause: Duration
    /// How long a call to the records may take.
    package var recordTime: Duration

    /// Makes settings; the defaults are the service's.
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
