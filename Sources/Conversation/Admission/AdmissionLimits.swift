/// How many turns are answered at once, how many wait, and how often a patient or a caller may ask.
package struct AdmissionLimits: Sendable, Equatable {
    /// How many turns are answered at once in this process.
    package var turnsAtOnce: Int
    /// How many more may wait for one of them to end.
    package var turnsWaiting: Int
    /// How long one may wait; it spends from the turn's own time.
    package var longestWait: Duration
    /// How many turns a patient may begin in a minute; 0 sets no limit.
    package var patientTurnsPerMinute: Int
    /// How many turns may be begun under one service key in a minute; 0 sets no limit.
    package var keyTurnsPerMinute: Int
    /// For how long after a turn that told of danger a patient's turns go before all others: the next may be the answer to
    /// what we asked.
    package var watchTime: Duration

    /// Makes limits; the defaults are the service's.
    package init(
        turnsAtOnce: Int = 1024,
        turnsWaiting: Int = 512,
        longestWait: Duration = .milliseconds(500),
        patientTurnsPerMinute: Int = 120,
        keyTurnsPerMinute: Int = 0,
        watchTime: Duration = .seconds(600)
    ) {
        self.turnsAtOnce = turnsAtOnce
        self.turnsWaiting = turnsWaiting
        self.longestWait = longestWait
        self.patientTurnsPerMinute = patientTurnsPerMinute
        self.keyTurnsPerMinute = keyTurnsPerMinute
        self.watchTime = watchTime
    }
}
