package import Conversation
package import Foundation
import Runtime

/// How long a patient is usually quiet, learned from four weeks, so that an alert means something for this person.
///
/// A quiet is compared with those that began at about the same time of day: who goes to bed at ten is expected to be quiet
/// until the morning, and not until noon who was last heard of at nine. The patience is one and a half times the
/// longest but one in twenty of them, and never below the floor: people nap, and go out without the telephone.
package struct ActivityRhythm: Sendable, Equatable {
    /// The least patience.
    package static let floor = Duration.seconds(4 * 3600)
    /// The greatest patience.
    package static let ceiling = Duration.seconds(24 * 3600)
    /// The patience with somebody of whom too little is known.
    package static let unknown = Duration.seconds(12 * 3600)
    /// From how many quiets that began at about the same time of day something is learned.
    static let leastQuiets = 5
    /// How far apart two times of day are still about the same.
    private static let nearness = 2.0 * 3600
    private static let day = 86_400.0

    private let history: ActivityHistory

    /// Learns from a history.
    package init(_ history: ActivityHistory) {
        self.history = history
    }

    /// For how long the quiet that began at an instant is nothing to worry about.
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

    /// Whether two instants are at about the same time of day, on the patient's wall.
    private func isNear(_ left: Date, _ right: Date) -> Bool {
        let apart = abs(timeOfDay(left) - timeOfDay(right))
        return min(apart, Self.day - apart) <= Self.nearness
    }

    private func timeOfDay(_ date: Date) -> Double {
        let local = date.timeIntervalSince1970 + Double(history.timeZone.secondsFromGMT(for: date))
        return local - (local / Self.day).rounded(.down) * Self.day
    }
}
