package import Foundation

/// What is on the bench, and what came of what was there before: a value behind a lock.
struct BenchLedger: Sendable {
    /// So many outcomes are kept, the latest first.
    static let kept = 8

    private(set) var current: BenchProgress?
    private var outcomes: [(id: String, outcome: BenchOutcome)] = []
    private(set) var isStopped = false

    /// Puts something on the bench; throws when it is taken.
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

/// How far what is on the bench has come.
package struct BenchProgress: Sendable, Equatable {
    /// Its name.
    package let id: String
    /// Samples that are done.
    package fileprivate(set) var done: Int
    /// Samples that are to be taken.
    package let total: Int
    /// When it began.
    package let beganAt: Date
}

/// Why nothing more is taken on the bench.
package enum BenchRefusal: Error, Equatable {
    /// Something is on it already.
    case busy(since: Date)
    /// There is nothing to take, or more than it takes.
    case samples(Int, limit: Int)
    /// The service is stopping.
    case stopped
}

extension BenchRefusal: CustomStringConvertible {
    /// A sentence for the operator.
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
