package import Conversation

/// What the samples of a run came to, by fixture; grows with the fixtures and not with the samples.
package struct RunTally: Sendable {
    /// What one fixture's samples came to.
    package struct Entry: Sendable, Equatable {
        /// Which fixture.
        package var fixture: String
        /// Its suite.
        package var suite: String
        /// How much a failure weighs.
        package var severity: Fixture.Severity
        /// What it counts as one with.
        package var cluster: String
        /// The digest of what it asks and expects.
        package var digest: String
        /// How many samples are to be taken.
        package var expected = 1
        /// How many of them must pass.
        package var needed = 1
        /// Samples by outcome.
        package var counts: [SampleRecord.Outcome: Int] = [:]
        /// The sum of the scores of what could be judged.
        package var score = 0.0
        /// The last reason for no pass.
        package var reason = ""
        /// Graded assertions that hold, and all of them, by metric.
        package var metrics: [String: Proportion] = [:]

        /// Samples that could be judged.
        package var judged: Int { (counts[.pass] ?? 0) + (counts[.fail] ?? 0) }
        /// The share of judged samples that passed; nil when none could be judged.
        package var passRate: Double? { judged == 0 ? nil : Double(counts[.pass] ?? 0) / Double(judged) }

        /// What the fixture came to; a fixture whose samples are not all there, and cannot fail or pass any more, is an error.
        package var outcome: SampleRecord.Outcome {
            let passes = counts[.pass] ?? 0
            if passes >= needed { return .pass }
            if expected - (counts[.fail] ?? 0) < needed { return .fail }
            if counts[.error] ?? 0 > 0 { return .error }
            if counts[.unmeasured] ?? 0 > 0 { return .unmeasured }
            if counts[.skipped] ?? 0 > 0 { return .skipped }
            return .error
        }
    }

    /// The fixtures' entries, by identity.
    package private(set) var entries: [String: Entry] = [:]
    /// Samples that were counted.
    package private(set) var samples = 0
    /// Milliseconds of live turns that asked a model; what grows with the samples, by eight bytes a turn and stage.
    package private(set) var latencies: [Double] = []
    /// The same of the stages that ran in those turns.
    package private(set) var stageLatencies: [String: [Double]] = [:]
    /// Samples that met a request without a recording.
    package private(set) var misses = 0
    /// Live turns that asked a model, and those of them in which it did not answer in time or at all.
    package private(set) var unanswered = Proportion(0, of: 0)
    /// Tokens of live turns.
    package private(set) var tokens = TokenUsage()

    /// Begins with nothing.
    package init() {}

    /// Notes what is to be taken, so that a fixture that never was is missed.
    package mutating func expect(_ plan: [String: PlannedFixture]) {
        for (fixture, planned) in plan {
            var entry = entry(fixture, planned.suite, planned.severity, planned.cluster, planned.digest)
            entry.expected = planned.expected
            entry.needed = planned.needed
            entries[fixture] = entry
        }
    }

    /// Adds a sample.
    package mutating func add(_ sample: SampleRecord) {
        samples += 1
        var entry = entry(sample.fixture, sample.suite, sample.severity, sample.cluster, sample.digest)
        entry.counts[sample.outcome, default: 0] += 1
        if sample.outcome == .pass || sample.outcome == .fail { entry.score += sample.score }
        if sample.outcome != .pass { entry.reason = sample.reason }
        for grade in sample.grades where !grade.isAdvisory && grade.outcome != .unmeasured {
            guard let metric = grade.metric else { continue }
            let before = entry.metrics[metric] ?? Proportion(0, of: 0)
            let holds = grade.outcome == .pass ? 1 : 0
            entry.metrics[metric] = Proportion(before.successes + holds, of: before.count + 1)
        }
        entries[sample.fixture] = entry
        if sample.outcome == .error, sample.reason.hasPrefix(CassetteMiss.prefix) { misses += 1 }
        guard sample.timing == .live, sample.outcome != .error else { return }
        for turn in sample.turns where turn.askedModel {
            latencies.append(turn.milliseconds)
            for (stage, milliseconds) in turn.stages { stageLatencies[stage, default: []].append(milliseconds) }
            let isMute = turn.degraded.contains(.model) && (turn.source == .fixed || turn.source == .memory)
            unanswered = Proportion(unanswered.successes + (isMute ? 1 : 0), of: unanswered.count + 1)
            tokens.promptTokens += turn.tokens.promptTokens
            tokens.completionTokens += turn.tokens.completionTokens
        }
    }

    /// The tally of a run that is gone on with: what ended in an error is taken again.
    package var withoutErrors: RunTally {
        var tally = self
        for (fixture, entry) in entries {
            tally.samples -= entry.counts[.error] ?? 0
            tally.entries[fixture]?.counts[.error] = nil
        }
        tally.misses = 0
        return tally
    }

    /// Fixtures by what they came to.
    package var outcomes: [SampleRecord.Outcome: Int] {
        entries.values.reduce(into: [:]) { $0[$1.outcome, default: 0] += 1 }
    }

    /// How many fixtures passed, of those that could be judged.
    package var passes: Proportion {
        let outcomes = outcomes
        let passed = outcomes[.pass] ?? 0
        return Proportion(passed, of: passed + (outcomes[.fail] ?? 0))
    }

    /// Whether a fixture was left out because neither it nor the run has a model.
    package var isWithoutModel: Bool {
        entries.values.contains { $0.outcome == .skipped && $0.reason == UnscriptedModel.reason }
    }

    /// The fixtures that came to something, by identity in order.
    package func fixtures(that came: SampleRecord.Outcome) -> [Entry] {
        entries.values.filter { $0.outcome == came }.sorted { $0.fixture < $1.fixture }
    }

    private func entry(
        _ fixture: String,
        _ suite: String,
        _ severity: Fixture.Severity,
        _ cluster: String,
        _ digest: String
    ) -> Entry {
        entries[fixture]
            ?? Entry(fixture: fixture, suite: suite, severity: severity, cluster: cluster, digest: digest)
    }
}
