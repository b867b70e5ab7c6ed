/// What a single run must come to, besides what it is compared with.
package struct RunGate: Sendable {
    /// What a gate says of a run.
    package enum Finding: String, Sendable, CaseIterable {
        case passed, failed, infrastructure, inconclusive, budget, interrupted
        case recordingsMissing = "recordings-missing"
    }

    /// Why limits cannot be used.
    package enum LimitError: Error, Equatable, CustomStringConvertible {
        /// Not a number, infinite or negative, or a share of all or more: a gate that anything passes is no gate.
        case unusable(name: String, value: Double)

        /// A clause for whoever gave the limit.
        package var description: String {
            switch self {
            case .unusable(let name, let value): "\(value) limits nothing as \(name)"
            }
        }
    }

    /// The greatest milliseconds of percentiles; each needs enough live samples.
    package private(set) var percentiles: [PercentileLimit] = []
    /// The greatest share of live turns that take longer than five seconds; nil for no limit.
    package private(set) var deadlineMisses: Double?
    /// The greatest share of fixtures in error.
    package private(set) var errors = 0.0

    /// With more live turns than this share without the model's answer, a run says little about the model.
    private static let muteShare = 0.2

    /// Makes the gate that every run passes or not: nothing fails, nothing is in error, something passed.
    package init() {}

    /// Adds a limit on a percentile of live turns, or of one of their stages.
    package mutating func limit(
        _ share: Double,
        of stage: String? = nil,
        to milliseconds: Double
    ) throws(LimitError) {
        let limit = PercentileLimit(stage: stage, share: share, milliseconds: milliseconds)
        _ = try Self.usable(limit.name, milliseconds)
        percentiles.append(limit)
    }

    /// Sets the share of live turns that may take longer than five seconds.
    package mutating func limitDeadlineMisses(to share: Double) throws(LimitError) {
        deadlineMisses = try Self.usable("deadline misses", share, below: 1)
    }

    /// Sets the share of fixtures that may be in error.
    package mutating func tolerate(errors share: Double) throws(LimitError) {
        errors = try Self.usable("errors", share, below: 1)
    }

    private static func usable(
        _ name: String,
        _ value: Double,
        below limit: Double = .infinity
    ) throws(LimitError) -> Double {
        guard value.isFinite, value >= 0, value < limit else { throw .unusable(name: name, value: value) }
        return value
    }

    /// What a run comes to, with the reasons.
    ///
    /// A failure outweighs everything; what was not judged is never green.
    package func findings(of tally: RunTally, _ end: RunEnd?) -> [(Finding, String)] {
        var findings: [(Finding, String)] = []
        let outcomes = tally.outcomes
        let total = tally.entries.count
        if end?.reason == .interrupted {
            findings.append((.interrupted, "the run was stopped; --resume goes on with it"))
        }
        let failed = outcomes[.fail] ?? 0
        if failed > 0 { findings.append((.failed, "\(failed) of \(total) fixtures failed")) }
        findings += latencyFindings(tally)
        if tally.misses > 0 {
            findings.append((.recordingsMissing, "\(tally.misses) samples met a request without a recording"))
        }
        let inError = outcomes[.error] ?? 0
        if inError > 0, Double(inError) > errors * Double(total), end?.reason != .budget, tally.misses == 0 {
            findings.append((.infrastructure, "\(inError) of \(total) fixtures could not be taken"))
        }
        if end?.reason == .budget {
            findings.append((.budget, "the cost or the time that the run may spend was reached"))
        }
        let unmeasured = outcomes[.unmeasured] ?? 0
        if unmeasured > 0 { findings.append((.inconclusive, "\(unmeasured) fixtures could not be measured")) }
        if tally.passes.count == 0 { findings.append((.inconclusive, "no fixture was judged")) }
        let mute = tally.unanswered
        if let rate = mute.rate, rate > Self.muteShare {
            let reason = "the model left \(mute.successes) of \(mute.count) live turns without an answer in time"
            findings.append((.inconclusive, reason))
        }
        if end == nil { findings.append((.inconclusive, "the run was cut off")) }
        return findings.isEmpty ? [(.passed, "")] : findings
    }

    private func latencyFindings(_ tally: RunTally) -> [(Finding, String)] {
        var findings = percentiles.compactMap { $0.finding(of: tally) }
        if let deadlineMisses {
            let misses = LatencySummary(tally.latencies).misses(of: 5_000)
            if let rate = misses.rate, rate > deadlineMisses {
                findings.append((.failed, "\(misses.successes) of \(misses.count) turns took longer than 5 s"))
            } else if misses.upperBound > max(deadlineMisses, 0.05) {
                findings.append((.inconclusive, "deadline misses are not judged: \(misses.claim)"))
            }
        }
        return findings
    }
}
