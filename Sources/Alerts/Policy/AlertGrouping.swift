import Conversation
import Foundation

/// Finds an earlier open alert about the same thing, so that people are notified of it once.
enum AlertGrouping {
    /// Time in seconds for which an alert represents later ones about the same thing.
    private static func window(_ level: Level) -> TimeInterval {
        level >= .high ? 10 * 60 : 4 * 3600
    }

    /// Returns the earliest alert that represents a case; nil when there is none or people already know of this one.
    ///
    /// An event reported by another server equals only itself, so its alert is always sent.
    ///
    /// The earlier alert must concern the same thing, be at least as severe and be unacknowledged. It must also be
    /// strictly earlier, so that no two alerts represent each other.
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
