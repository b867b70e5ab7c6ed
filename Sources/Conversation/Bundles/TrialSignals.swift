/// The signals that a trial looks for in a turn.
package struct TrialSignals: OptionSet, Sendable, Hashable {
    package let rawValue: Int

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// A model exceeded its share of the deadline.
    package static let missedDeadline = TrialSignals(rawValue: 1 << 0)
    /// A part of the turn was left out.
    package static let degraded = TrialSignals(rawValue: 1 << 1)
    /// A human had to be notified.
    package static let alerted = TrialSignals(rawValue: 1 << 2)
    /// The model produced more words than a reply may have.
    package static let overCap = TrialSignals(rawValue: 1 << 3)
    /// The output screen held back some of the model's words.
    package static let screened = TrialSignals(rawValue: 1 << 4)

    /// Every signal with its name in tables, reports and the log.
    package static let named: [(signal: TrialSignals, name: String)] = [
        (.missedDeadline, "missed_deadline"), (.degraded, "degraded"), (.alerted, "alerted"), (.overCap, "over_cap"),
        (.screened, "screened"),
    ]
}

/// The signals of one turn in a trial.
package struct TrialOutcome: Sendable, Equatable {
    /// The place of the turn in the trial.
    package let place: TrialPlace
    /// The observed signals.
    package let signals: TrialSignals

    package init(_ place: TrialPlace, _ signals: TrialSignals) {
        self.place = place
        self.signals = signals
    }
}
