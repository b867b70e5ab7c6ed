package import Foundation

/// State of the evaluation bench: the running work and recent outcomes.
///
/// A value behind a lock.
struct BenchLedger: Sendable {
    /// Number of outcomes kept, latest first.
    static let kept = 8

    private(set) var current: BenchProgress?
    private var outcomes: [(id: String, outcome: BenchOutcome)] = []
    private(set) var isStopped = false

    /// Starts work; throws if the bench is busy.
    mutating func begin(_ id: String, total: Int, at date: Date) throws(BenchRefusal) {
        guard !isStopped else { throw .stopped }
        if let current { throw .busy(since: current.beganAt) }
        current = BenchProgress(id: id, done: 0, total: total, beganAt: date)
    }

    mutating func progress(_ id: String, _ done: Int) {
        guard current?.id == id else { return }
        current?.done = done
    }

    mutating func end(_ id: String, _ outcome: BenchOutcome) {
        if current?.id == id { current = nil }
        outcomes.insert((id, outcome), at: 0)
        outcomes.removeLast(max(0, outcomes.count - Self.kept))
    }

    mutating func stop() { isStopped = true }

    func outcome(of id: String) -> BenchOutcome? { outcomes.first { $0.id == id }?.outcome }
}

/// Progress of the running work.
package struct BenchProgress: Sendable, Equatable {
    /// Identifier of the work.
    package let id: String
    /// Number of finished samples.
    package fileprivate(set) var done: Int
    /// Total number of samples.
    package let total: Int
    /// Start time.
    package let beganAt: Date
}

/// Reasons for which the bench refuses work.
package enum BenchRefusal: Error, Equatable {
    /// Other work is running.
    case busy(since: Date)
    /// The number of samples is zero or above the limit.
    case samples(Int, limit: Int)
    /// The service is stopping.
    case stopped
}

extension BenchRefusal: CustomStringConvertible {
    /// Message for the operator.
    package var description: String {
        switch self {
        case .busy(let since):
            "Something has been running since \(since.formatted(.iso8601)); one thing is tried at a time."
        case .samples(0, _): "No fixture is chosen."
        case .samples(let count, let limit): "\(count) samples are asked for, and \(limit) are taken at most."
        case .stopped: "The service is stopping."
        }
    }
}
