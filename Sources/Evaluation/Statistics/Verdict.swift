/// Verdict of a comparison of two runs; ``ok`` and ``improved`` pass.
package enum Verdict: String, Sendable, Codable, CaseIterable {
    /// Nothing got worse, and a relevant drop would have been detected.
    case ok
    /// Something got worse, or a critical case newly fails.
    case regressed
    /// Something got better and nothing worse.
    case improved
    /// There are too few samples for a verdict.
    case inconclusive
    /// The runs have different fixtures or are incomplete.
    case notComparable = "not-comparable"
}
