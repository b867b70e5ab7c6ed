/// What a run's file says of a fixture before it is taken.
package struct PlannedFixture: Sendable, Codable, Equatable {
    /// The digest of what it asks and expects.
    package var digest: String
    /// Its suite.
    package var suite: String
    /// How much a failure weighs.
    package var severity: Fixture.Severity
    /// What it counts as one with in statistics.
    package var cluster: String
    /// How many samples are to be taken.
    package var expected: Int
    /// How many of them must pass.
    package var needed: Int

    /// The plan of a fixture.
    ///
    /// - Parameter repeats: A command's own number of samples, which keeps the share that must pass.
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
