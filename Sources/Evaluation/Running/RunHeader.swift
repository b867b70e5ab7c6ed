import Cryptography
package import Foundation

/// First line of a run's file: what the run consists of.
///
/// Comparison and bisection read it.
package struct RunHeader: Sendable, Codable, Equatable {
    /// Current schema version of a run's file.
    package static let currentSchema = 1

    /// Schema version of this file.
    package var schema = RunHeader.currentSchema
    /// Name of the run.
    package var run: String
    /// Start time.
    package var startedAt: Date
    /// Source of the model's words.
    package var mode: RunMode
    /// Name of the model; empty if there is none.
    package var model: String
    /// Digest of the judge; empty if there is none.
    package var judge: String
    /// Seed of random draws.
    package var seed: UInt64
    /// Number of samples per fixture that the command forces; nil to use the fixtures' own numbers.
    package var repeats: Int?
    /// Digests of everything that could change answers, by name: `prompts/companion.prompt`, `rules/scam.yaml`,
    /// `binary`.
    package var components: [String: String]
    /// Fixtures that the run is to take, by identifier.
    package var fixtures: [String: PlannedFixture]
    /// Whether a filter or a shard left out fixtures.
    ///
    /// A partial run cannot become the baseline.
    package var isPartial: Bool

    package init(
        run: String,
        startedAt: Date,
        mode: RunMode,
        model: String = "",
        judge: String = "",
        seed: UInt64 = 1,
        repeats: Int? = nil,
        components: [String: String] = [:],
        fixtures: [String: PlannedFixture],
        isPartial: Bool = false
    ) {
        self.run = run
        self.startedAt = startedAt
        self.mode = mode
        self.model = model
        self.judge = judge
        self.seed = seed
        self.repeats = repeats
        self.components = components
        self.fixtures = fixtures
        self.isPartial = isPartial
    }

    /// Digest of the fixtures' inputs and assertions.
    package var suite: String { Self.suite(of: fixtures) }

    /// Digest of fixtures' inputs and assertions, independent of their order.
    package static func suite(of fixtures: [String: PlannedFixture]) -> String {
        Digest.sha256(fixtures.map { "\($0.key) \($0.value.digest)" }.sorted().joined(separator: "\n")).hex
    }

    /// Digest of fixtures' inputs and assertions.
    package static func suite(of fixtures: [Fixture]) -> String {
        suite(of: Dictionary(fixtures.map { ($0.id, PlannedFixture($0)) }) { first, _ in first })
    }

    /// Name of the component with the posture that a run forces on its models.
    package static let postureComponent = "posture"

    /// Whether samples of another run may be added to this one; only if nothing that affects results differs.
    package func accepts(_ other: RunHeader) -> Bool {
        mode == other.mode && model == other.model && judge == other.judge && repeats == other.repeats
            && components == other.components && fixtures == other.fixtures
    }
}
