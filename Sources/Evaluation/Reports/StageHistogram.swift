/// How many turns a stage took how long in, in steps that about double; as small after a million turns as after one.
package struct StageHistogram: Sendable, Equatable {
    /// The upper edges of the steps, in milliseconds; what is slower has a step of its own.
    package static let edges: [Double] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000]

    /// How many fell into each step; the last is beyond every edge.
    package private(set) var counts = [Int](repeating: 0, count: StageHistogram.edges.count + 1)

    /// Begins with nothing.
    package init() {}

    /// How many there are.
    package var total: Int { counts.reduce(0, +) }

    /// Adds a duration.
    package mutating func add(_ milliseconds: Double) {
        counts[Self.edges.firstIndex { milliseconds < $0 } ?? Self.edges.count] += 1
    }
}
