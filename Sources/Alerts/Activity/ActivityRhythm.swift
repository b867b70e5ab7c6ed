package import Conversation
package import Foundation
import Runtime

/// The usual length of a patient's quiet periods, learned from four weeks of activity.
///
/// A quiet period is compared with earlier ones that began at about the same time of day, because nights are longer
/// than naps. The patience is 1.5 times the 95th percentile of those lengths. It never falls below the floor, because
/// people nap and go out without the telephone.
package struct ActivityRhythm: Sendable, Equatable {
    /// Shortest patience.
    package static let floor = Duration.seconds(4 * 3600)
    /// Longest patience.
    package static let ceiling = Duration.seconds(24 * 3600)
    /// Patience for a patient with too little history.
    package static let unknown = Duration.seconds(12 * 3600)
    /// Smallest number of comparable quiet periods from which a patience is learned.
    static let leastQuiets = 5
    /// Largest difference in seconds between two times of day that count as about the same.
    private static let nearness = 2.0 * 3600
    private static let day = 86_400.0

    private let history: ActivityHistory

    /// Learns the rhythm from a patient's history.
    package init(_ history: ActivityHistory) {
        self.history = history
    }

    /// Returns how long a quiet period that began at this instant may last without an alert.
    package func patience(since began: Date) -> Duration {
        let quiets = zip(history.instants, history.instants.dropFirst())
            .filter { $0.1 <= began && isNear($0.0, began) }
            .map { $0.1.timeIntervalSince($0.0) }
            .sorted()
        guard quiets.count >= Self.leastQuiets else { return Self.unknown }
        let usual = quiets[Int((Double(quiets.count - 1) * 0.95).rounded(.down))]
        let patience = Duration.nanoseconds(Int64(min(usual * 1.5, 2 * Self.day) * 1e9))
        return min(max(patience, Self.floor), Self.ceiling)
    }

    /// Returns true when two instants fall at about the same time of day in the patient's time zone.
    private func isNear(_ left: Date, _ right: Date) -> Bool {
        let apart = abs(timeOfDay(left) - timeOfDay(right))
        return min(apart, Self.day - apart) <= Self.nearness
    }

    private func timeOfDay(_ date: Date) -> Double {
        let local = date.timeIntervalSince1970 + Double(history.timeZone.secondsFromGMT(for: date))
        return local - (local / Self.day).rounded(.down) * Self.day
    }
}
