/// Entry of a fixture in a run's header.
package struct PlannedFixture: Sendable, Codable, Equatable {
    /// Digest of its inputs and assertions.
    package var digest: String
    /// Suite of the fixture.
    package var suite: String
    /// Severity of a failure.
    package var severity: Fixture.Severity
    /// Statistical unit of the fixture.
    package var cluster: String
    /// Number of samples to take.
    package var expected: Int
    /// Number of samples that must pass.
    package var needed: Int

    /// Plans a fixture.
    ///
    /// - Parameter repeats: Number of samples that overrides the fixture's; the share that must pass is kept.
    package init(_ fixture: Fixture, repeats: Int? = nil) {
        let own = fixture.repetition
        digest = fixture.digest
        suite = fixture.suite
        severity = fixture.severity
        cluster = fixture.cluster
        expected = repeats ?? own.count
        needed = repeats.map { ($0 * own.minimumPasses + own.count - 1) / own.count } ?? own.minimumPasses
    }
}
