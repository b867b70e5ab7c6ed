import Cryptography
package import Foundation

/// What a run found of a bundle, as a file beside the runs: what a promotion asks for.
///
/// Only a run of every fixture to its end, of which a gate has nothing to say, is `passed`, and only where no fixture was
/// left out because nothing said what the model says: the bundle's prompts would not have been tried.
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
    /// How many fixtures came to what.
    package let counts: [String: Int]

    private enum CodingKeys: String, CodingKey {
        case run, bundle, verdict, suite, mode, model, counts
        case finishedAt = "finished_at"
    }

    /// Judges a run.
    package init(of summary: RunSummary, bundle: String, gate: RunGate = RunGate(), at date: Date = Date()) {
        run = summary.header.run
        self.bundle = bundle
        (mode, model) = (summary.header.mode.rawValue, summary.header.model)
        let outcomes = summary.tally.outcomes
        counts = Dictionary(
            uniqueKeysWithValues: SampleRecord.Outcome.allCases.map { ($0.rawValue, outcomes[$0] ?? 0) }
        )
        let findings = gate.findings(of: summary.tally, summary.end).map(\.0)
        let isWhole = !summary.header.isPartial && summary.end?.reason == .finished
        if findings.contains(.failed) {
            verdict = .failed
        } else {
            let isGreen = isWhole && findings.allSatisfy { $0 == .passed }
            verdict = isGreen && !summary.tally.isWithoutModel ? .passed : .inconclusive
        }
        let fixtures = summary.header.fixtures.map { "\($0.key) \($0.value.digest)" }.sorted()
        suite = Digest.sha256(fixtures.joined(separator: "\n")).hex
        finishedAt = date.formatted(.iso8601)
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
