package import Foundation
package import Runtime

/// Length of time for which one row of figures stands.
///
/// Each replica writes all three, so that a long time is read as quickly as a short one. Per replica at most 240, 156 and
/// 192 rows are kept.
package enum HealthStep: Int, Sendable, CaseIterable {
    case minute = 60
    case tenMinutes = 600
    case hour = 3_600

    /// Seconds of a step.
    package var seconds: Double { Double(rawValue) }

    /// Seconds for which rows of this step are kept.
    package var keptSeconds: Double {
        switch self {
        case .minute: 4 * 3_600
        case .tenMinutes: 26 * 3_600
        case .hour: 8 * 86_400
        }
    }

    /// The beginning of the step in which a moment lies.
    package func start(of date: Date) -> Date {
        Date(timeIntervalSince1970: (date.timeIntervalSince1970 / seconds).rounded(.down) * seconds)
    }
}

/// The figures of one replica in one step.
package struct HealthEntry: Sendable, Equatable {
    /// Name of the replica, the same after a restart.
    package let replica: String
    /// The process, another after a restart.
    package let process: UUID
    /// Length of the step.
    package let step: HealthStep
    /// Beginning of the step.
    package let start: Date
    /// What was counted in it; of the present step, so far.
    package let figures: HealthFigures

    package init(replica: String, process: UUID, step: HealthStep, start: Date, figures: HealthFigures) {
        self.replica = replica
        self.process = process
        self.step = step
        self.start = start
        self.figures = figures
    }
}

/// Stores what replicas have counted, for a bounded time.
package protocol HealthRecords: Sendable {
    /// Stores figures and deletes those that are too old; a step that was stored before is replaced.
    func store(_ entries: [HealthEntry], at date: Date, by deadline: Deadline) async throws(RecordsError)

    /// Returns the figures of steps that begin in a time, oldest first.
    ///
    /// - Parameter replica: The replica; nil for all.
    func figures(
        _ step: HealthStep,
        since start: Date,
        of replica: String?,
        by deadline: Deadline
    ) async throws(RecordsError) -> [HealthEntry]

    /// Returns the replicas that have stored figures since a moment, by name, each with the beginning of its last step.
    func replicas(
        since start: Date,
        by deadline: Deadline
    ) async throws(RecordsError) -> [(name: String, lastAt: Date)]
}
