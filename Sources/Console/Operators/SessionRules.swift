import Conversation
import Foundation
import Runtime

/// How long an operator stays signed in.
package struct SessionRules: Sendable, Equatable {
    /// For how long nothing may be done before the session ends.
    package let idle: Duration
    /// How long a session lasts at most, whatever is done.
    package let longest: Duration

    /// Makes rules; half an hour and twelve hours unless given.
    package init(idle: Duration = .seconds(30 * 60), longest: Duration = .seconds(12 * 3600)) {
        self.idle = idle
        self.longest = longest
    }

    /// Whether a session still holds at a time.
    ///
    /// Its last use is noted to the minute, so that it may end up to a minute early.
    func holds(_ session: OperatorSession, at date: Date) -> Bool {
        date.timeIntervalSince(session.seenAt) < idle.seconds
            && date.timeIntervalSince(session.createdAt) < longest.seconds
    }
}
