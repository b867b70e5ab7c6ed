/// Latency histogram of a stage, in steps that about double; constant size.
package struct StageHistogram: Sendable, Equatable {
    /// Upper edges of the steps, in milliseconds; slower turns have a step of their own.
    package static let edges: [Double] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000]

    /// Number of turns per step; the last step is above all edges.
    package private(set) var counts = [Int](repeating: 0, count: StageHistogram.edges.count + 1)

    /// Creates an empty histogram.
    package init() {}

    /// Number of turns.
    package var total: Int { counts.reduce(0, +) }

    /// Adds a duration.
    package mutating func add(_ milliseconds: Double) {
        counts[Self.edges.firstIndex { milliseconds < $0 } ?? Self.edges.count] += 1
    }
}
