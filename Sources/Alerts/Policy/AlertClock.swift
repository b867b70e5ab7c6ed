package import Conversation

/// How long each step of telling people may take at a level, before the next person is told as well.
///
/// From the table in the safety specification: at most a minute until somebody has taken a critical alert on, five for a
/// high one, four hours for a medium one. What is less happens by receipt: a message that has not even arrived is given
/// less time than one that has been opened.
package struct AlertClock: Sendable, Equatable {
    /// How long a message may take to arrive.
    package let undelivered: Duration
    /// How long a message that has arrived may stay unopened, counted from its sending.
    package let unseen: Duration
    /// How long a message that was opened may stay unanswered, counted from its sending.
    package let unacknowledged: Duration
    /// When the operators are told at the latest.
    package let operators: Duration
    /// After how long everybody is told again; nil when nobody is.
    package let repetition: Duration?
    /// How often everybody is told again.
    package let repetitions: Int
    /// For how long a message that a provider does not take is tried again.
    package let persistence: Duration

    /// The clock of a level; nil for what nobody waits for.
    package init?(_ level: Level) {
        guard let operators = level.acknowledgement else { return nil }
        self.operators = operators
        switch level {
        case .critical:
            (undelivered, unseen, unacknowledged) = (.seconds(15), .seconds(25), .seconds(40))
            (repetition, repetitions, persistence) = (.seconds(120), 15, .seconds(300))
        case .high:
            (undelivered, unseen, unacknowledged) = (.seconds(45), .seconds(90), .seconds(150))
            (repetition, repetitions, persistence) = (.seconds(600), 6, .seconds(900))
        case .medium, .low, .none:
            (undelivered, unseen, unacknowledged) = (.seconds(1800), .seconds(3600), .seconds(5400))
            (repetition, repetitions, persistence) = (nil, 0, .seconds(7200))
        }
    }
}
