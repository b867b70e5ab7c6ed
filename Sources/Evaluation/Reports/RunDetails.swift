package import Conversation

/// Details of a run for its report, besides the tally: one sample per fixture, and statistics on rules and stages.
package struct RunDetails: Sendable {
    /// Most informative sample per fixture: the last that did not pass, otherwise the last.
    package private(set) var samples: [String: SampleRecord] = [:]
    /// Number of turns by expected least alert level and by written level.
    package private(set) var alerts: [Level: [Level: Int]] = [:]
    /// For each rule, the turns in which it fired and how many of them met all assertions on alerts and flags.
    package private(set) var rules: [String: Proportion] = [:]
    /// Histogram of milliseconds per stage, simulated and live.
    package private(set) var stages: [String: StageHistogram] = [:]

    /// Reads a run's file.
    ///
    /// Memory grows with the number of fixtures, not of samples.
    package init(_ file: RunFile) throws(RunFileError) {
        var details = RunDetails()
        try file.forEach { line in
            if case .sample(let sample) = line { details.add(sample) }
        }
        self = details
    }

    private init() {}

    private mutating func add(_ sample: SampleRecord) {
        if sample.outcome != .pass || samples[sample.fixture].map({ $0.outcome == .pass }) ?? true {
            samples[sample.fixture] = sample
        }
        for grade in sample.grades {
            guard let expected = grade.expectedLevel, let written = grade.writtenLevel else { continue }
            alerts[expected, default: [:]][written, default: 0] += 1
        }
        for (index, turn) in sample.turns.enumerated() {
            let grades = sample.grades.filter { $0.turn == index + 1 && Self.isAboutScreens($0.name) }
            for rule in Set(turn.rules) where !grades.isEmpty {
                let before = rules[rule] ?? Proportion(0, of: 0)
                let held = grades.allSatisfy { $0.outcome == .pass } ? 1 : 0
                rules[rule] = Proportion(before.successes + held, of: before.count + 1)
            }
            for (stage, milliseconds) in turn.stages { stages[stage, default: StageHistogram()].add(milliseconds) }
        }
    }

    private static func isAboutScreens(_ name: String) -> Bool {
        name.hasSuffix("alert-level") || name.hasSuffix("scam-flag")
    }
}
