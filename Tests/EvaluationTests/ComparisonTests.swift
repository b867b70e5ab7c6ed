import Foundation
import Runtime
import TestSupport
import Testing
import YAML

@testable import Evaluation

/// Comparisons of two runs, and every way in which one could be green and should not be.
@Suite struct ComparisonTests {
    /// A run of invented fixtures.
    private func run(
        _ outcomes: [SampleRecord.Outcome],
        severity: Fixture.Severity = .major,
        digest: String = "d",
        end: RunEnd.Reason? = .finished,
        judge: String = "",
        isPartial: Bool = false,
        mode: RunMode = .replay,
        cluster: (Int) -> String? = { _ in nil },
        measured: (Int) -> Bool = { _ in false },
        reason: String = ""
    ) -> RunSummary {
        var planned: [String: PlannedFixture] = [:]
        var tally = RunTally()
        for index in outcomes.indices { planned["f\(index)"] = plan(index, severity, digest, cluster(index)) }
        tally.expect(planned)
        for (index, outcome) in outcomes.enumerated() {
            var sample = sample(index, outcome, severity, digest, cluster(index), reason)
            if measured(index) {
                let grade = Grade.Outcome(rawValue: outcome.rawValue) ?? .unmeasured
                sample.grades = [Grade(turn: 1, name: "scam-flag", metric: "scam recall", outcome: grade)]
            }
            tally.add(sample)
        }
        let header = RunHeader(
            run: "r",
            startedAt: Date(timeIntervalSince1970: 0),
            mode: mode,
            judge: judge,
            fixtures: planned,
            isPartial: isPartial
        )
        return RunSummary(header: header, end: end.map { RunEnd(reason: $0, seconds: 1) }, tally: tally)
    }

    private func plan(
        _ index: Int,
        _ severity: Fixture.Severity,
        _ digest: String,
        _ cluster: String?
    ) -> PlannedFixture {
        var fixture = Fixture(
            id: "f\(index)",
            suite: "s",
            severity: severity,
            metadata: cluster.map { ["conversation": $0] } ?? [:],
            turns: [],
            position: .init(file: "f", line: 1, column: 1)
        )
        fixture.digest = digest
        return PlannedFixture(fixture)
    }

    private func sample(
        _ index: Int,
        _ outcome: SampleRecord.Outcome,
        _ severity: Fixture.Severity,
        _ digest: String,
        _ cluster: String?,
        _ reason: String
    ) -> SampleRecord {
        SampleRecord(
            fixture: "f\(index)",
            suite: "s",
            title: "",
            severity: severity,
            cluster: cluster.map { "s/\($0)" } ?? "f\(index)",
            metadata: [:],
            digest: digest,
            attempt: 1,
            outcome: outcome,
            score: outcome == .pass ? 1 : 0,
            reason: reason,
            timing: .simulated,
            turns: [],
            grades: []
        )
    }

    private func passes(_ count: Int, failing: Set<Int> = []) -> [SampleRecord.Outcome] {
        (0..<count).map { failing.contains($0) ? .fail : .pass }
    }

    @Test func `the same outcomes are ok where a drop that matters would have been seen`() {
        let comparison = RunComparison(base: run(passes(200)), candidate: run(passes(200)))
        #expect(comparison.verdict == .ok)
        #expect(comparison.flips.isEmpty)
    }

    @Test func `the same outcomes of few fixtures are inconclusive, never green`() {
        let comparison = RunComparison(base: run(passes(20)), candidate: run(passes(20)))
        #expect(comparison.verdict == .inconclusive)
        #expect(comparison.reasons.contains { $0.contains("is not ruled out") })
    }

    @Test func `five that got worse are a drop, and four are not`() {
        let base = run(passes(200))
        #expect(RunComparison(base: base, candidate: run(passes(200, failing: [1, 2, 3, 4, 5]))).verdict == .regressed)
        #expect(RunComparison(base: base, candidate: run(passes(200, failing: [1, 2, 3, 4]))).verdict != .regressed)
    }

    @Test func `the score is told with a bootstrap interval, and has no part in the verdict`() throws {
        let comparison = RunComparison(base: run(passes(200)), candidate: run(passes(200, failing: [1, 2, 3, 4, 5])))
        let score = try #require(comparison.measures.last)
        #expect(score.name == "score" && score.isAdvisory)
        #expect(abs(score.difference + 0.025) < 1e-9 && score.interval.contains(-0.025))
        #expect(comparison.measures.filter { !$0.isAdvisory }.map(\.name) == ["pass"])
    }

    @Test
    func `a measure that dropped and may have dropped by as much as matters is inconclusive, and the words say which`()
    {
        let recall = { (index: Int) in index < 53 }
        let comparison = RunComparison(
            base: run(passes(485), measured: recall),
            candidate: run(passes(485, failing: [7]), measured: recall)
        )
        #expect(comparison.verdict == .inconclusive)
        #expect(comparison.reasons.contains { $0.hasPrefix("a drop of scam recall by") })
        let same = RunComparison(
            base: run(passes(485), measured: recall),
            candidate: run(passes(485), measured: recall)
        )
        #expect(same.verdict == .ok, "what did not drop is held to the whole alone")
    }

    @Test func `five that got better are an improvement`() {
        let base = run(passes(200, failing: [1, 2, 3, 4, 5]))
        #expect(RunComparison(base: base, candidate: run(passes(200))).verdict == .improved)
    }

    @Test func `one critical case that fails now blocks, whatever the others do`() {
        let base = run(passes(500, failing: Set(1...40)), severity: .critical)
        let candidate = run(passes(500, failing: [0]), severity: .critical)
        let comparison = RunComparison(base: base, candidate: candidate)
        #expect(comparison.verdict == .regressed)
        #expect(comparison.flips.filter { $0.candidate != .pass }.map(\.fixture) == ["f0"])
    }

    @Test func `a critical case that failed before does not block again`() {
        let outcomes = passes(200, failing: [0])
        let comparison = RunComparison(
            base: run(outcomes, severity: .critical),
            candidate: run(outcomes, severity: .critical)
        )
        #expect(comparison.verdict == .ok)
    }

    @Test func `ten failures of one conversation are no drop of ten`() {
        let cluster: (Int) -> String? = { $0 < 10 ? "one" : nil }
        let base = run(passes(200), cluster: cluster)
        let candidate = run(passes(200, failing: Set(0..<10)), cluster: cluster)
        #expect(RunComparison(base: base, candidate: candidate).verdict != .regressed)
        #expect(RunComparison(base: base, candidate: candidate).measures[0].count == 191)
    }

    @Test func `runs that are not of the same whole cases are not comparable`() {
        let base = run(passes(200))
        func verdict(_ candidate: RunSummary, _ other: RunSummary? = nil) -> Verdict {
            RunComparison(base: other ?? base, candidate: candidate).verdict
        }
        #expect(verdict(run(passes(150))) == .notComparable, "missing ids")
        #expect(verdict(run(passes(200), digest: "e")) == .notComparable, "changed inputs or assertions")
        #expect(verdict(run(passes(200), end: .budget)) == .notComparable, "stopped")
        #expect(verdict(run(passes(200), end: nil)) == .notComparable, "cut off")
        #expect(verdict(run(passes(200), judge: "j")) == .notComparable, "another judge")
        #expect(verdict(run(passes(200), mode: .live)) == .notComparable, "live against replayed")
        #expect(verdict(run(passes(200)), run(passes(200), isPartial: true)) == .notComparable, "a part as the base")
        let errors: [SampleRecord.Outcome] = passes(199) + [.error]
        #expect(verdict(run(errors)) == .notComparable, "errors in the candidate")
        #expect(verdict(run(passes(199) + [.unmeasured])) == .notComparable, "lost to a judge that was away")
        #expect(verdict(run(passes(199) + [.skipped])) == .notComparable, "lost to a skip")
    }

    @Test func `a shrunken baseline of one fixture compares nothing away`() {
        let comparison = RunComparison(base: run(passes(1)), candidate: run(passes(200, failing: Set(1...100))))
        #expect(comparison.verdict == .inconclusive)
    }

    @Test func `nothing that was judged in both is inconclusive`() {
        let skipped = [SampleRecord.Outcome](repeating: .skipped, count: 50)
        #expect(RunComparison(base: run(skipped), candidate: run(skipped)).verdict == .inconclusive)
    }

    @Test func `a planted drop of 5 percent at 800 is called in nine of ten simulated runs`() {
        var random = SeededGenerator(seed: 20)
        var called = 0
        let runs = PropertyCases.count(50, of: 200)
        for _ in 0..<runs {
            let worse = Set((0..<800).filter { _ in Double.random(in: 0..<1, using: &random) < 0.05 })
            let better = Set((0..<800).filter { _ in Double.random(in: 0..<1, using: &random) < 0.02 }).subtracting(
                worse
            )
            let comparison = RunComparison(
                base: run(passes(800, failing: better)),
                candidate: run(passes(800, failing: worse))
            )
            if comparison.verdict == .regressed { called += 1 }
        }
        print("a drop of 5 points planted at 800 is called regressed in \(called) of \(runs) simulated runs")
        #expect(called * 10 >= runs * 9, "\(called) of \(runs)")
    }

    @Test func `chance alone is called a drop in no more than one of twenty simulated runs`() {
        var random = SeededGenerator(seed: 21)
        var called = 0
        let runs = PropertyCases.count(100, of: 400)
        for _ in 0..<runs {
            let worse = Set((0..<400).filter { _ in Double.random(in: 0..<1, using: &random) < 0.03 })
            let better = Set((0..<400).filter { _ in Double.random(in: 0..<1, using: &random) < 0.03 }).subtracting(
                worse
            )
            let comparison = RunComparison(
                base: run(passes(400, failing: better)),
                candidate: run(passes(400, failing: worse))
            )
            if comparison.verdict == .regressed { called += 1 }
        }
        print("chance alone is called regressed in \(called) of \(runs) simulated runs")
        #expect(called * 20 <= runs, "\(called) of \(runs)")
    }

    // MARK: A run by itself

    private func first(_ summary: RunSummary, _ gate: RunGate = RunGate()) -> RunGate.Finding? {
        gate.findings(of: summary.tally, summary.end).first?.0
    }

    @Test func `a run is green only when something was judged and all of it passed`() {
        #expect(first(run(passes(10))) == .passed)
        #expect(first(run(passes(10, failing: [3]))) == .failed)
        #expect(first(run([])) == .inconclusive, "an empty suite")
        #expect(first(run([.skipped, .skipped])) == .inconclusive, "all skipped")
        #expect(first(run([.pass, .unmeasured])) == .inconclusive, "a judge that was away")
        #expect(first(run([.pass, .error])) == .infrastructure)
        #expect(first(run([.pass, .error], reason: "no recording of POST /x")) == .recordingsMissing)
        #expect(first(run([.pass], end: .budget)) == .budget)
        #expect(first(run([.pass], end: .interrupted)) == .interrupted)
        #expect(first(run([.pass], end: nil)) == .inconclusive, "cut off")
    }

    @Test func `a fixture that was planned and never taken is no pass`() {
        var summary = run(passes(3))
        summary.tally.expect(["f9": plan(9, .major, "d", nil)])
        #expect(first(summary) == .infrastructure)
    }

    @Test(arguments: [Double.nan, .infinity, -1, -.infinity])
    func `a limit that would disarm the gate is refused`(limit: Double) {
        var gate = RunGate()
        #expect(throws: RunGate.LimitError.self) { try gate.limit(0.95, to: limit) }
        #expect(throws: RunGate.LimitError.self) { try gate.limit(0.95, of: "recall", to: limit) }
        #expect(throws: RunGate.LimitError.self) { try gate.limitDeadlineMisses(to: limit) }
        #expect(throws: RunGate.LimitError.self) { try gate.tolerate(errors: limit) }
    }

    @Test(arguments: [1.0, 5, 100]) func `a share of all or more is no limit`(share: Double) {
        var gate = RunGate()
        #expect(throws: RunGate.LimitError.self) { try gate.limitDeadlineMisses(to: share) }
        #expect(throws: RunGate.LimitError.self) { try gate.tolerate(errors: share) }
    }

    @Test func `a percentile limit without live samples is inconclusive, and replayed time never counts`() throws {
        var gate = RunGate()
        try gate.limit(0.95, to: 5_000)
        #expect(first(run(passes(100)), gate) == .inconclusive)
    }
}
