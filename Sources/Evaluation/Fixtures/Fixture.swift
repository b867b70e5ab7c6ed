package import YAML

/// One case of a suite: what is given, what is said, and what must hold of the answers.
package struct Fixture: Sendable, Equatable {
    /// How much a failure weighs: a new failure of a critical case blocks, whatever the averages say.
    package enum Severity: String, Sendable, Codable, CaseIterable {
        case critical, major, minor
    }

    /// How often a case is run, and how often it must pass.
    package struct Repetition: Sendable, Equatable {
        /// How many samples are taken, 1 or more.
        package var count: Int
        /// How many of them must pass.
        package var minimumPasses: Int

        /// Makes a repetition; once, and it must pass, unless given.
        package init(count: Int = 1, minimumPasses: Int = 1) {
            self.count = count
            self.minimumPasses = minimumPasses
        }
    }

    /// One thing that the patient says.
    package struct Turn: Sendable, Equatable {
        /// The words.
        package var said: String
        /// How long after the turn before it.
        package var after: Duration
        /// What must hold of its answer.
        package var assertions: [Assertion]

        /// Makes a turn.
        package init(said: String, after: Duration = .seconds(60), assertions: [Assertion] = []) {
            self.said = said
            self.after = after
            self.assertions = assertions
        }
    }

    /// What pairs it with itself in another run; unique in a run.
    package var id: String
    /// The suite that it belongs to.
    package var suite: String
    /// What it is about, in a line; may be empty.
    package var title: String
    /// How much a failure weighs.
    package var severity: Severity
    /// Free labels, for filters and slices.
    package var metadata: [String: String]
    /// What is true before the first word.
    package var given: Given
    /// What is said, in order; never empty.
    package var turns: [Turn]
    /// The weighted score that is enough; nil when every assertion must hold.
    package var threshold: Double?
    /// How often it is run.
    package var repetition: Repetition
    /// Why it is not run; nil when it is.
    package var skipReason: String?
    /// Where it is written.
    package var position: YAMLPosition
    /// The digest of what it asks and expects, without its position: what must agree for a comparison.
    package var digest: String = ""

    /// Makes a fixture.
    package init(
        id: String,
        suite: String,
        title: String = "",
        severity: Severity = .major,
        metadata: [String: String] = [:],
        given: Given = Given(),
        turns: [Turn],
        threshold: Double? = nil,
        repetition: Repetition = Repetition(),
        skipReason: String? = nil,
        position: YAMLPosition
    ) {
        self.id = id
        self.suite = suite
        self.title = title
        self.severity = severity
        self.metadata = metadata
        self.given = given
        self.turns = turns
        self.threshold = threshold
        self.repetition = repetition
        self.skipReason = skipReason
        self.position = position
    }

    /// Whether an answer could fail it.
    package var assertsSomething: Bool { turns.contains { !$0.assertions.isEmpty } }

    /// What fixtures of one conversation share, so that they count as one in statistics; its own identity otherwise.
    package var cluster: String { metadata["conversation"].map { "\(suite)/\($0)" } ?? id }
}
