package import Foundation
package import Runtime

/// The length of the period that one row of figures covers.
///
/// Each replica writes all three lengths, so that a long period is read as quickly as a short one. At most 240, 156
/// and 192 rows are kept for each replica.
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

    /// Returns the start of the step that contains an instant.
    package func start(of date: Date) -> Date {
        Date(timeIntervalSince1970: (date.timeIntervalSince1970 / seconds).rounded(.down) * seconds)
    }
}

/// The figures of one replica in one step.
package struct HealthEntry: Sendable, Equatable {
    /// The replica's name, kept across restarts.
    package let replica: String
    /// The process, another after each restart.
    package let process: UUID
    /// Length of the step.
    package let step: HealthStep
    /// Beginning of the step.
    package let start: Date
    /// The figures of the step; of the present step, those so far.
    package let figures: HealthFigures

    package init(replica: String, process: UUID, step: HealthStep, start: Date, figures: HealthFigures) {
        self.replica = replica
        self.process = process
        self.step = step
        self.start = start
        self.figures = figures
    }
}

/// Stores the figures of replicas, for a bounded time.
package protocol HealthRecords: Sendable {
    /// Stores figures and deletes those that are too old; replaces a step that was stored before.
    func store(_ entries: [HealthEntry], at date: Date, by deadline: Deadline) async throws(RecordsError)

    /// Returns the figures of the steps that begin in a period, oldest first.
    ///
    /// - Parameter replica: The replica; nil for all.
    func figures(
        _ step: HealthStep,
        since start: Date,
        of replica: String?,
        by deadline: Deadline
    ) async throws(RecordsError) -> [HealthEntry]

    /// Returns the replicas that have stored figures since an instant, by name, each with the start of its last step.
    func replicas(
        since start: Date,
        by deadline: Deadline
    ) async throws(RecordsError) -> [(name: String, lastAt: Date)]
}
