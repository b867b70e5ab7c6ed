/// What a trial looks for in a turn.
package struct TrialSignals: OptionSet, Sendable, Hashable {
    package let rawValue: Int

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// A model was too slow for its share of the deadline.
    package static let missedDeadline = TrialSignals(rawValue: 1 << 0)
    /// The turn did without a part.
    package static let degraded = TrialSignals(rawValue: 1 << 1)
    /// A human had to be told.
    package static let alerted = TrialSignals(rawValue: 1 << 2)
    /// The model said more words than a reply has.
    package static let overCap = TrialSignals(rawValue: 1 << 3)
    /// The output screen held back something that the model said.
    package static let screened = TrialSignals(rawValue: 1 << 4)

    /// Every signal with its name in tables, reports and the log.
    package static let named: [(signal: TrialSignals, name: String)] = [
        (.missedDeadline, "missed_deadline"), (.degraded, "degraded"), (.alerted, "alerted"), (.overCap, "over_cap"),
        (.screened, "screened"),
    ]
}

/// How a turn went that counts in a trial.
package struct TrialOutcome: Sendable, Equatable {
    /// Where it counts.
    package let place: TrialPlace
    /// What was seen.
    package let signals: TrialSignals

    /// Makes an outcome.
    package init(_ place: TrialPlace, _ signals: TrialSignals) {
        self.place = place
        self.signals = signals
    }
}
