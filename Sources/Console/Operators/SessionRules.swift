import Conversation
import Foundation
import Runtime

/// Limits on the duration of an operator's session.
package struct SessionRules: Sendable, Equatable {
    /// Idle time after which the session ends.
    package let idle: Duration
    /// Longest total duration of a session.
    package let longest: Duration

    /// Creates limits; the defaults are 30 minutes idle and 12 hours in total.
    package init(idle: Duration = .seconds(30 * 60), longest: Duration = .seconds(12 * 3600)) {
        self.idle = idle
        self.longest = longest
    }

    /// Whether a session is still valid at a time.
    ///
    /// Its last use is stored to the minute, so that it may end up to a minute early.
    func holds(_ session: OperatorSession, at date: Date) -> Bool {
        date.timeIntervalSince(session.seenAt) < idle.seconds
            && date.timeIntervalSince(session.createdAt) < longest.seconds
    }
}
