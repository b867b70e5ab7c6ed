package import Foundation

/// What a run found of a bundle, as a file beside the runs: what a promotion asks for.
///
/// Written for every run, whoever began it, so that the verdict has one rule. What failed, or is worse than its base, is
/// `failed`. Only a run of every fixture to its end, of which neither gate nor comparison has anything to say, is `passed`, and
/// only where every fixture was judged: errors that a gate tolerates leave something untold, and without a model's words
/// the bundle's prompts would not have been tried.
package struct RunFinding: Sendable, Codable, Equatable {
    /// What a run came to.
    package enum Verdict: String, Sendable, Codable { case passed, failed, inconclusive }

    /// The run's name.
    package let run: String
    /// The digest of all files of the bundle that answered.
    package let bundle: String
    /// What the run came to.
    package let verdict: Verdict
    /// The digest of the fixtures.
    package let suite: String
    /// When it ended, as RFC 3339 has it.
    package let finishedAt: String
    /// Where the model's words came from.
    package let mode: String
    /// The model that answered; empty when none did.
    package let model: String
    /// The posture that the run gave its models; nil where it was the one they have earned.
    package let posture: String?
    /// How many fixtures came to what.
    package let counts: [String: Int]
    /// How many samples the run was to take.
    package let samples: Int

    private enum CodingKeys: String, CodingKey {
        case run, bundle, verdict, suite, mode, model, posture, counts, samples
        case finishedAt = "finished_at"
    }

    /// Judges a run by itself.
    package init(of summary: RunSummary, bundle: String, gate: RunGate = RunGate(), at date: Date = Date()) {
        let findings = gate.findings(of: summary.tally, summary.end).map(\.0)
        self.init(of: summary, bundle: bundle, findings, against: nil, at: date)
    }

    /// Judges a run by its report: what the report's gate found, and how it compares with the report's base.
    package init(of report: RunReport, bundle: String, at date: Date = Date()) {
        let findings = report.findings.map(\.finding)
        self.init(of: report.run, bundle: bundle, findings, against: report.comparison?.verdict, at: date)
    }

    private init(
        of summary: RunSummary,
        bundle: String,
        _ findings: [RunGate.Finding],
        against base: Evaluation.Verdict?,
        at date: Date
    ) {
        run = summary.header.run
        self.bundle = bundle
        (mode, model) = (summary.header.mode.rawValue, summary.header.model)
        let outcomes = summary.tally.outcomes
        counts = Dictionary(
            uniqueKeysWithValues: SampleRecord.Outcome.allCases.map { ($0.rawValue, outcomes[$0] ?? 0) }
        )
        verdict = Self.verdict(of: summary, findings, against: base)
        suite = summary.header.suite
        posture = summary.header.components[RunHeader.postureComponent]
        samples = summary.header.fixtures.values.reduce(0) { $0 + $1.expected }
        finishedAt = date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    private static func verdict(
        of summary: RunSummary,
        _ findings: [RunGate.Finding],
        against base: Evaluation.Verdict?
    ) -> Verdict {
        if findings.contains(.failed) || base == .regressed { return .failed }
        let isWhole = !summary.header.isPartial && summary.end?.reason == .finished
        let isNoWorse = base == nil || base == .ok || base == .improved
        let isGreen = isWhole && isNoWorse && findings.allSatisfy { $0 == .passed }
        let outcomes = summary.tally.outcomes
        let isJudged = (outcomes[.error] ?? 0) + (outcomes[.unmeasured] ?? 0) == 0 && !summary.tally.isWithoutModel
        return isGreen && isJudged ? .passed : .inconclusive
    }

    /// Leaves the finding in the folder of runs, which is made; blocks on the disk.
    package func write(to folder: String) throws(RunFileError) {
        let path = "\(folder)/\(run).json"
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try encoder.encode(self).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw .system(path: path, code: errno)
        }
    }
}
