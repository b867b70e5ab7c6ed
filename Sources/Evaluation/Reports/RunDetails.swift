package import Conversation

/// What a report shows of a run besides its tally: one sample of each fixture, and what the screens did.
package struct RunDetails: Sendable {
    /// Of each fixture the sample that tells most: the last that is no pass, or else the last.
    package private(set) var samples: [String: SampleRecord] = [:]
    /// Turns by the least level that was expected of an alert and by the level that was written.
    package private(set) var alerts: [Level: [Level: Int]] = [:]
    /// Turns in which each rule fired, by whether every assertion on alerts and flags held.
    package private(set) var rules: [String: Proportion] = [:]
    /// Milliseconds by stage, of every timing.
    package private(set) var stages: [String: StageHistogram] = [:]

    /// Reads a run's file; grows with the fixtures and not with the samples.
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
