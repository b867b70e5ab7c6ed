import Cryptography
package import Foundation

/// What a run found of a bundle, as a file beside the runs: what a promotion asks for.
///
/// Only a run of every fixture to its end, of which a gate has nothing to say, is `passed`.
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

    private enum CodingKeys: String, CodingKey {
        case run, bundle, verdict, suite
        case finishedAt = "finished_at"
    }

    /// Judges a run.
    package init(of summary: RunSummary, bundle: String, gate: RunGate = RunGate(), at date: Date = Date()) {
        run = summary.header.run
        self.bundle = bundle
        let findings = gate.findings(of: summary.tally, summary.end).map(\.0)
        let isWhole = !summary.header.isPartial && summary.end?.reason == .finished
        if findings.contains(.failed) {
            verdict = .failed
        } else {
            verdict = isWhole && findings.allSatisfy { $0 == .passed } ? .passed : .inconclusive
        }
        let fixtures = summary.header.fixtures.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.digest)\n" }
        suite = Digest.sha256(fixtures.joined()).hex
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
