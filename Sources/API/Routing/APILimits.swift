/// The bounds of what callers may ask.
package struct APILimits: Sendable, Equatable {
    /// The most characters of a message.
    package static let messageCharacters = 4000
    /// The most messages of a batch.
    package static let batchMessages = 100
    /// The most bytes of a batch's body.
    package static let batchBytes = 1 << 20

    /// The budget of a turn, from the request's arrival to the answer.
    package var turn: Duration
    /// The budget of a batch of delayed messages; below the ten seconds after which the app gives up.
    package var batch: Duration
    /// The budget of a read.
    package var read: Duration
    /// The budget of raising an alarm, most of it for the providers; below the three seconds that the app waits.
    package var alarm: Duration
    /// How far a device's clock may be ahead of ours.
    package var clockSkew: Duration
    /// How old a message may be; beyond it a device's clock is wrong, or nobody is helped by an answer.
    package var messageAge: Duration
    /// How long a service key is believed without asking the records again.
    package var keyFreshness: Duration
    /// How long a service key that was good is believed while the records cannot be asked.
    package var keyStaleness: Duration

    /// Makes bounds; the defaults are the service's.
    package init(
        turn: Duration = .seconds(5),
        batch: Duration = .seconds(8),
        read: Duration = .seconds(2),
        alarm: Duration = .milliseconds(2500),
        clockSkew: Duration = .seconds(5 * 60),
        messageAge: Duration = .seconds(30 * 86_400),
        keyFreshness: Duration = .seconds(4),
        keyStaleness: Duration = .seconds(24 * 3600)
    ) {
        self.turn = turn
        self.batch = batch
        self.read = read
        self.alarm = alarm
        self.clockSkew = clockSkew
        self.messageAge = messageAge
        self.keyFreshness = keyFreshness
        self.keyStaleness = keyStaleness
    }
}
