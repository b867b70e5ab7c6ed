package import Conversation

/// Time limits of each escalation step at a severity level.
///
/// The safety specification sets the limits for acknowledgement: one minute for critical, five for high, four hours for
/// medium alerts. Within them, receipts matter: an undelivered message gets less time than an opened one.
package struct AlertClock: Sendable, Equatable {
    /// Time limit for a message to arrive.
    package let undelivered: Duration
    /// Time limit for a delivered message to be opened, counted from its sending.
    package let unseen: Duration
    /// Time limit for an opened message to be answered, counted from its sending.
    package let unacknowledged: Duration
    /// Latest time at which the operators are notified.
    package let operators: Duration
    /// Interval after which everybody is notified again; nil for never.
    package let repetition: Duration?
    /// Number of repetitions.
    package let repetitions: Int
    /// Time for which a message is retried when its provider does not accept it.
    package let persistence: Duration

    /// Returns the limits of a level; nil for a level that needs no acknowledgement.
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
