package import Foundation

/// What one patient's first turns in a trial came to: the unit that a trial counts, because the turns of one patient are
/// alike.
package struct TrialUnit: Sendable, Equatable {
    /// Whose, under the trial's own name for the patient, and in which arm.
    package let place: TrialPlace
    /// How many turns, as many as the trial looks at or fewer.
    package let turns: Int
    /// What was seen in any of them.
    package let signals: TrialSignals
    /// When the first of them was answered.
    package let openedAt: Date
    /// When the last of them was answered; nil while more are to come.
    package let closedAt: Date?

    /// Makes a unit from the record.
    package init(
        _ place: TrialPlace,
        turns: Int,
        signals: TrialSignals,
        openedAt: Date,
        closedAt: Date?
    ) {
        self.place = place
        self.turns = turns
        self.signals = signals
        self.openedAt = openedAt
        self.closedAt = closedAt
    }

    /// The unit with one more turn; the same when it is closed.
    ///
    /// It closes with the last turn that is looked at, and with an alert, after which the patient is left alone.
    package func adding(_ signals: TrialSignals, at date: Date, window: Int) -> TrialUnit {
        guard closedAt == nil else { return self }
        let isLast = turns + 1 >= window || signals.contains(.alerted)
        return TrialUnit(
            place,
            turns: turns + 1,
            signals: self.signals.union(signals),
            openedAt: openedAt,
            closedAt: isLast ? date : nil
        )
    }
}
