package import Conversation

/// What an assertion came to.
package struct Grade: Sendable, Equatable, Codable {
    /// Four different things: it holds, it does not, it could not be measured.
    package enum Outcome: String, Sendable, Codable, CaseIterable {
        case pass, fail, unmeasured
    }

    /// Which turn of the fixture, from 1.
    package var turn: Int
    /// The assertion's type as it is written.
    package var name: String
    /// The measure that it adds to; nil for none.
    package var metric: String?
    /// What it came to.
    package var outcome: Outcome
    /// From 0 to 1.
    package var score: Double
    /// How much it counts.
    package var weight: Double
    /// Why, in a sentence with what was found; empty when it passed plainly.
    package var reason: String
    /// Whether it only advises: a judge without credentials, or a weight of nothing.
    package var isAdvisory: Bool
    /// For an alert: the least level that was expected.
    package var expectedLevel: Level?
    /// For an alert: the level that was written.
    package var writtenLevel: Level?

    /// Makes a grade.
    package init(
        turn: Int,
        name: String,
        metric: String? = nil,
        outcome: Outcome,
        score: Double? = nil,
        weight: Double = 1,
        reason: String = "",
        isAdvisory: Bool = false
    ) {
        self.turn = turn
        self.name = name
        self.metric = metric
        self.outcome = outcome
        self.score = score ?? (outcome == .pass ? 1 : 0)
        self.weight = weight
        self.reason = reason
        self.isAdvisory = isAdvisory
    }
}
