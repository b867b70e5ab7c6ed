/// The quality of one rule on labelled sentences, excluding its own examples.
package struct RuleFigures: Sendable, Equatable {
    /// The number of sentences below which a share is not shown.
    package static let fewest = 10

    /// The share of the rule's matches that are of its category.
    package let precision: Proportion
    /// The share of its category that the rule finds alone; a category's rules share the work.
    package let recall: Proportion
    /// The sentences with wrong matches, at most ten.
    package let wrong: [String]

    init(_ judged: [RuleMeasurement.Judged]) {
        let detection = Detection(judged.map { ($0.isThere, $0.isFound) })
        precision = detection.precision
        recall = detection.recall
        wrong = Array(judged.filter { $0.isFound && !$0.isThere }.map(\.text).prefix(10))
    }
}
