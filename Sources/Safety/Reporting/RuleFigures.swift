/// How well one rule does on labelled sentences, none of which is its own example.
package struct RuleFigures: Sendable, Equatable {
    /// With fewer sentences than this a share says too little to be shown as one.
    package static let fewest = 10

    /// Of the sentences on which it fires, how many are of its category.
    package let precision: Proportion
    /// Of the sentences of its category, how many it finds by itself; rules of a category share the work.
    package let recall: Proportion
    /// The sentences on which it fires wrongly, at most ten.
    package let wrong: [String]

    init(_ judged: [RuleMeasurement.Judged]) {
        let detection = Detection(judged.map { ($0.isThere, $0.isFound) })
        precision = detection.precision
        recall = detection.recall
        wrong = Array(judged.filter { $0.isFound && !$0.isThere }.map(\.text).prefix(10))
    }
}
