import Conversation
import Foundation

/// Finds the open alert that says the same already, so that people are told of one thing once.
enum AlertGrouping {
    /// How long an alert stands for later ones about the same thing.
    private static func window(_ level: Level) -> TimeInterval {
        level >= .high ? 10 * 60 : 4 * 3600
    }

    /// The earliest alert that stands for a case; nil when there is none, or people know of this one already.
    ///
    /// An event that another server reports is only the same as itself: its alert is told beside every other.
    ///
    /// It must be about the same thing, at least as grave, not taken on by anybody yet, and earlier: of two, one is, so
    /// that no two ever stand for each other.
    static func earlier(than alertCase: AlertCase) -> AlertID? {
        let level = alertCase.alert.level
        guard alertCase.dispatches.isEmpty, level > .low else { return nil }
        return alertCase.related.filter { other in
            other.event == alertCase.event && other.category == alertCase.alert.category && other.level >= level
                && [.recorded, .notified, .escalated].contains(other.state)
                && alertCase.raisedAt.timeIntervalSince(other.raisedAt) <= window(level)
                && isEarlier(other, than: alertCase)
        }
        .min { ($0.raisedAt, $0.id.description) < ($1.raisedAt, $1.id.description) }?.id
    }

    static func isEarlier(_ other: AlertCase.Related, than alertCase: AlertCase) -> Bool {
        (other.raisedAt, other.id.description) < (alertCase.raisedAt, alertCase.alert.id.description)
    }
}
