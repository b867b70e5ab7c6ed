import Cryptography
package import Foundation

/// What a run was made of: the first line of its file, and what a comparison looks at.
package struct RunHeader: Sendable, Codable, Equatable {
    /// The form of a run's file.
    package static let currentSchema = 1

    /// The form of this file.
    package var schema = RunHeader.currentSchema
    /// Which run.
    package var run: String
    /// When it began.
    package var startedAt: Date
    /// Where the words came from.
    package var mode: RunMode
    /// The run's model; empty when it has none.
    package var model: String
    /// The digest of the judge; empty when there is none.
    package var judge: String
    /// The seed of what is drawn by lot.
    package var seed: UInt64
    /// How often each fixture is repeated when the command says so; nil when fixtures say.
    package var repeats: Int?
    /// The digests of what could cause a change, by name: `prompts/companion.prompt`, `rules/scam.yaml`, `binary`.
    package var components: [String: String]
    /// Every fixture that the run is to take, by identity.
    package var fixtures: [String: PlannedFixture]
    /// Whether a filter or a shard left fixtures out: such a run is no baseline.
    package var isPartial: Bool

    /// Makes a header.
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

    /// The digest of what its fixtures ask and expect.
    package var suite: String { Self.suite(of: fixtures) }

    /// The digest of what fixtures ask and expect, whatever their order.
    package static func suite(of fixtures: [String: PlannedFixture]) -> String {
        Digest.sha256(fixtures.map { "\($0.key) \($0.value.digest)" }.sorted().joined(separator: "\n")).hex
    }

    /// The digest of what fixtures ask and expect.
    package static func suite(of fixtures: [Fixture]) -> String {
        suite(of: Dictionary(fixtures.map { ($0.id, PlannedFixture($0)) }) { first, _ in first })
    }

    /// The component that names the posture which a run gives its models, where it is not the one they have earned.
    package static let postureComponent = "posture"

    /// Whether samples of another run may be put beside those of this one: only when nothing that matters differs.
    package func accepts(_ other: RunHeader) -> Bool {
        mode == other.mode && model == other.model && judge == other.judge && repeats == other.repeats
            && components == other.components && fixtures == other.fixtures
    }
}
