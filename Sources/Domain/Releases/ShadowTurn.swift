package import Runtime

/// An answered turn, as it is given to a candidate to answer in shadow.
package struct ShadowTurn: Sendable {
    /// The place of the candidate's answer in the trial.
    package let place: TrialAssignment
    /// Has a candidate answer the turn by a deadline, and returns the signals that the trial looks for.
    package let signals: @Sendable (_ candidate: TurnBundle, _ deadline: Deadline) async -> TrialSignals

    package init(
        place: TrialAssignment,
        signals: @escaping @Sendable (_ candidate: TurnBundle, _ deadline: Deadline) async -> TrialSignals
    ) {
        self.place = place
        self.signals = signals
    }
}
