/// Everything that a report of a run is made from.
package struct RunReport: Sendable {
    /// The run.
    package var run: RunSummary
    /// One sample of each fixture and what the screens did.
    package var details: RunDetails
    /// What the run comes to by itself.
    package var findings: [(finding: RunGate.Finding, reason: String)]
    /// How it compares with a base; nil when there is none.
    package var comparison: RunComparison?
    /// The base's samples, for what changed.
    package var baseDetails: RunDetails?

    /// Makes a report's content.
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

    /// What decides the verdict: the run's own finding, or how it compares with its base.
    package enum Decision: Sendable, Equatable {
        /// What the run comes to by itself.
        case finding(RunGate.Finding)
        /// What the comparison says.
        case comparison(Verdict)
    }

    /// What decides, which words and exit codes follow alike.
    ///
    /// What keeps a run from being judged comes first, then what it is worse than, then what failed by itself.
    package var decision: Decision {
        let found = Set(findings.map(\.finding))
        if found.contains(.interrupted) { return .finding(.interrupted) }
        if comparison?.verdict == .regressed { return .comparison(.regressed) }
        let order: [RunGate.Finding] = [.failed, .recordingsMissing, .infrastructure, .budget, .inconclusive]
        if let first = order.first(where: found.contains) { return .finding(first) }
        return comparison.map { .comparison($0.verdict) } ?? .finding(.passed)
    }

    /// The verdict in a word.
    package var verdict: String {
        switch decision {
        case .finding(let finding): finding.rawValue
        case .comparison(let verdict): verdict.rawValue
        }
    }

    /// Why, in sentences.
    package var reasons: [String] { findings.map(\.reason).filter { !$0.isEmpty } + (comparison?.reasons ?? []) }

    /// How many fixtures came to something.
    package func count(_ outcome: SampleRecord.Outcome) -> Int { run.tally.outcomes[outcome] ?? 0 }

    /// Every fixture's sample with what the fixture came to, worst first.
    package var fixtures: [(entry: RunTally.Entry, sample: SampleRecord?)] {
        let order: [SampleRecord.Outcome] = [.fail, .error, .unmeasured, .skipped, .pass]
        return order.flatMap { outcome in
            run.tally.fixtures(that: outcome).map { ($0, details.samples[$0.fixture]) }
        }
    }
}
