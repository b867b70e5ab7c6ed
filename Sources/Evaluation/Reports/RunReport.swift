/// Contents of a run's report.
package struct RunReport: Sendable {
    /// Summary of the run.
    package var run: RunSummary
    /// One sample per fixture, and statistics on rules and stages.
    package var details: RunDetails
    /// Findings of the gate on this run alone.
    package var findings: [(finding: RunGate.Finding, reason: String)]
    /// Comparison with a base; nil if there is none.
    package var comparison: RunComparison?
    /// Details of the base, for changed fixtures.
    package var baseDetails: RunDetails?

    package init(
        run: RunSummary,
        details: RunDetails,
        findings: [(RunGate.Finding, String)],
        comparison: RunComparison? = nil,
        baseDetails: RunDetails? = nil
    ) {
        self.run = run
        self.details = details
        self.findings = findings.map { ($0.0, $0.1) }
        self.comparison = comparison
        self.baseDetails = baseDetails
    }

    /// Basis of the verdict.
    package enum Decision: Sendable, Equatable {
        /// A finding of the gate on the run alone.
        case finding(RunGate.Finding)
        /// The verdict of the comparison.
        case comparison(Verdict)
    }

    /// Basis of the verdict, which the texts and the exit code follow.
    ///
    /// Obstacles to judging the run come first, then regressions, then failures of the run alone.
    package var decision: Decision {
        let found = Set(findings.map(\.finding))
        if found.contains(.interrupted) { return .finding(.interrupted) }
        if comparison?.verdict == .regressed { return .comparison(.regressed) }
        let order: [RunGate.Finding] = [.failed, .recordingsMissing, .infrastructure, .budget, .inconclusive]
        if let first = order.first(where: found.contains) { return .finding(first) }
        return comparison.map { .comparison($0.verdict) } ?? .finding(.passed)
    }

    /// Verdict in a word.
    package var verdict: String {
        switch decision {
        case .finding(let finding): finding.rawValue
        case .comparison(let verdict): verdict.rawValue
        }
    }

    /// Reasons for the verdict, in sentences.
    package var reasons: [String] { findings.map(\.reason).filter { !$0.isEmpty } + (comparison?.reasons ?? []) }

    /// Number of fixtures with an outcome.
    package func count(_ outcome: SampleRecord.Outcome) -> Int { run.tally.outcomes[outcome] ?? 0 }

    /// All fixtures with their most informative samples, worst first.
    package var fixtures: [(entry: RunTally.Entry, sample: SampleRecord?)] {
        let order: [SampleRecord.Outcome] = [.fail, .error, .unmeasured, .skipped, .pass]
        return order.flatMap { outcome in
            run.tally.fixtures(that: outcome).map { ($0, details.samples[$0.fixture]) }
        }
    }
}
