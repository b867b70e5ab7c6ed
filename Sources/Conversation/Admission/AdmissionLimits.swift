/// The limits of concurrent turns, of waiting turns, and of turns a minute for a patient or a key.
package struct AdmissionLimits: Sendable, Equatable {
    /// The number of turns that this process answers at once.
    package var turnsAtOnce: Int
    /// The number of turns that may wait for a free place.
    package var turnsWaiting: Int
    /// The longest wait; it counts against the turn's own time.
    package var longestWait: Duration
    /// The number of turns that a patient may begin in a minute; 0 sets no limit.
    package var patientTurnsPerMinute: Int
    /// The number of turns that may begin under one service key in a minute; 0 sets no limit.
    package var keyTurnsPerMinute: Int
    /// The time after a dangerous turn during which the patient's turns have priority.
    ///
    /// The next turn may answer the service's question.
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
