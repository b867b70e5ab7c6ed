package import Conversation

/// What one sample came to, as it is written to a run's file: one line, complete in itself.
package struct SampleRecord: Sendable, Codable, Equatable {
    /// Five different things.
    package enum Outcome: String, Sendable, Codable, CaseIterable {
        /// What is asserted holds.
        case pass
        /// Something that is asserted does not hold.
        case fail
        /// The sample could not be taken: the model was away, a recording is missing.
        case error
        /// An assertion that counts could not be measured.
        case unmeasured
        /// It was not run, for a stated reason.
        case skipped
    }

    /// How the sample's time passed; only live time may gate a percentile.
    package enum Timing: String, Sendable, Codable {
        case live, simulated, recorded
    }

    /// An alert as it was written.
    package struct WrittenAlert: Sendable, Codable, Equatable {
        /// How soon.
        package var level: Level
        /// What about.
        package var category: Conversation.Category
        /// The rule that decided it.
        package var rule: String
    }

    /// What came of one turn.
    package struct Turn: Sendable, Codable, Equatable {
        /// What was said.
        package var said: String
        /// The reply; empty when the turn was refused.
        package var reply: String
        /// Where the reply comes from; nil when the turn was refused.
        package var source: ReplySource?
        /// The message's level.
        package var level: Level
        /// The alerts that were written.
        package var alerts: [WrittenAlert]
        /// The rules that found something, those that were let go not among them.
        package var rules: [String]
        /// The reply's flags.
        package var flags: [String]
        /// What was done without.
        package var degraded: [Degradation]
        /// The whole turn.
        package var milliseconds: Double
        /// Each stage's milliseconds.
        package var stages: [String: Double]
        /// Tokens that were read and written.
        package var tokens: TokenUsage
        /// Whether a model was asked.
        package var askedModel: Bool
    }

    /// Which fixture.
    package var fixture: String
    /// Its suite.
    package var suite: String
    /// Its title.
    package var title: String
    /// How much a failure weighs.
    package var severity: Fixture.Severity
    /// What it counts as one with in statistics.
    package var cluster: String
    /// Its labels.
    package var metadata: [String: String]
    /// The digest of what it asks and expects.
    package var digest: String
    /// Which of the fixture's samples, from 1.
    package var attempt: Int
    /// What it came to.
    package var outcome: Outcome
    /// From 0 to 1, by weight.
    package var score: Double
    /// Why it is no pass; empty when it is.
    package var reason: String
    /// How its time passed.
    package var timing: Timing
    /// What came of each turn.
    package var turns: [Turn]
    /// What each assertion came to.
    package var grades: [Grade]

    /// What makes a sample itself, so that a resumed run takes none twice.
    package var key: String { Self.key(fixture, attempt) }

    static func key(_ fixture: String, _ attempt: Int) -> String { "\(fixture)#\(attempt)" }
}
