/// What a comparison of two runs says: five things, of which one alone is green without more.
package enum Verdict: String, Sendable, Codable, CaseIterable {
    /// Nothing got worse, and a drop that matters would have been seen.
    case ok
    /// Something got worse, or a critical case fails that passed.
    case regressed
    /// Something got better, and nothing worse.
    case improved
    /// There is too little to tell.
    case inconclusive
    /// The runs are not of the same cases, or not whole.
    case notComparable = "not-comparable"
}
