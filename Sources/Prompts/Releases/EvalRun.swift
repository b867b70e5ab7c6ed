import Foundation

/// What an eval run found of a bundle, as far as a promotion asks for it.
///
/// A run leaves it as `ID.json` in the folder of runs; other keys are for other readers:
///
/// ```json
/// {"run": "2026-03-01-scam", "bundle": "64 hexadecimal digits", "verdict": "passed", "suite": "64 hexadecimal digits",
///  "finished_at": "2026-03-01T12:00:00.125Z", "mode": "replay", "model": "companion-large", "samples": 467,
///  "counts": {"pass": 467, "fail": 0, "error": 0, "unmeasured": 0, "skipped": 0}}
/// ```
///
/// `bundle` is the digest of all files of the bundle that answered, `suite` that of the fixtures; `verdict` is `passed`,
/// `failed` or `inconclusive`. Only a run that passed and counts nothing in error and nothing unmeasured lets a bundle be
/// promoted. `mode`, `model` and `samples` may be missing where another tool left the file.
package struct EvalRun: Sendable, Equatable, Codable {
    /// What a run came to.
    package enum Verdict: String, Sendable, Codable { case passed, failed, inconclusive }

    /// The run's name.
    package let id: String
    /// The digest of the bundle.
    package let bundle: String
    /// What it came to.
    package let verdict: Verdict
    /// The digest of the fixtures.
    package let suite: String
    /// When it ended, as RFC 3339 has it.
    package let finishedAt: String
    /// Where the model's words came from.
    package let mode: String?
    /// The model that answered; empty when none did.
    package let model: String?
    /// The posture that the run gave its models; nil where it was the one they have earned.
    package let posture: String?
    /// How many fixtures came to what.
    package let counts: [String: Int]?
    /// How many samples the run was to take; nil where the file does not say.
    package let samples: Int?

    private enum CodingKeys: String, CodingKey {
        case id = "run"
        case bundle, verdict, suite
        case finishedAt = "finished_at"
        case mode, model, posture, counts, samples
    }

    /// Makes a run's finding.
    package init(
        id: String,
        bundle: String,
        verdict: Verdict,
        suite: String,
        finishedAt: String,
        mode: String? = nil,
        model: String? = nil,
        posture: String? = nil,
        counts: [String: Int]? = nil,
        samples: Int? = nil
    ) {
        self.id = id
        self.bundle = bundle
        self.verdict = verdict
        self.suite = suite
        self.finishedAt = finishedAt
        self.mode = mode
        self.model = model
        self.posture = posture
        self.counts = counts
        self.samples = samples
    }

    /// How many of its fixtures were neither judged nor left out on purpose; nil where it counts nothing.
    package var unjudged: Int? { counts.map { ($0["error"] ?? 0) + ($0["unmeasured"] ?? 0) } }

    /// How much was taken: a run is not answered by a smaller one.
    var size: Int { samples ?? counts?.values.reduce(0, +) ?? 0 }

    /// When it ended; the beginning of time for what is no date.
    var ended: Date {
        let precise = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        return (try? precise.parse(finishedAt)) ?? (try? Date.ISO8601FormatStyle().parse(finishedAt)) ?? .distantPast
    }
}
