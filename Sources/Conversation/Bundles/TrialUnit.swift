package import Foundation

/// The first turns of one patient in a trial; the unit of counting, because the turns of one patient are alike.
package struct TrialUnit: Sendable, Equatable {
    /// The patient's pseudonym in the trial, with the arm.
    package let place: TrialPlace
    /// The number of turns, up to the trial's limit.
    package let turns: Int
    /// The signals of any of the turns.
    package let signals: TrialSignals
    /// The time of the first answer.
    package let openedAt: Date
    /// The time of the last answer; nil while more turns are to come.
    package let closedAt: Date?

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

    /// Returns the unit with one more turn; a closed unit stays the same.
    ///
    /// A unit closes with its last turn, and with an alert, after which the patient is no longer counted.
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
