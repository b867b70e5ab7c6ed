import Cryptography
import Evaluation
import Foundation
import Prompts

extension EvalRun {
    /// What a run found, for a promotion.
    ///
    /// It justifies a bundle when it is green, was taken of every fixture of its suites, and no fixture was left out because
    /// nothing said what the model says: the bundle's prompts would not have been tried.
    init(of report: RunReport, bundle: String, exitCode: ExitCode) {
        let header = report.run.header
        let outcomes = report.run.tally.outcomes
        let counts = SampleRecord.Outcome.allCases.map { ($0.rawValue, outcomes[$0] ?? 0) }
        let verdict: Verdict =
            switch exitCode {
            case .success: header.isPartial || report.run.tally.isWithoutModel ? .inconclusive : .passed
            case .found, .regressed: .failed
            default: .inconclusive
            }
        let fixtures = header.fixtures.map { "\($0.key) \($0.value.digest)" }.sorted()
        self.init(
            id: header.run,
            bundle: bundle,
            verdict: verdict,
            suite: Digest.sha256(fixtures.joined(separator: "\n")).hex,
            finishedAt: Date().formatted(.iso8601),
            mode: header.mode.rawValue,
            model: header.model,
            counts: Dictionary(uniqueKeysWithValues: counts)
        )
    }
}
