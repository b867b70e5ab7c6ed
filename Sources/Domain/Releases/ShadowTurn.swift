package import Runtime

/// An answered turn that a candidate bundle answers again in shadow.
package struct ShadowTurn: Sendable {
    /// The place of the candidate's answer in the trial.
    package let place: TrialAssignment
    /// Answers the turn with a candidate by a deadline, and returns the observed signals.
    package let signals: @Sendable (_ candidate: TurnBundle, _ deadline: Deadline) async -> TrialSignals

    package init(
        place: TrialAssignment,
        signals: @escaping @Sendable (_ candidate: TurnBundle, _ deadline: Deadline) async -> TrialSignals
    ) {
        self.place = place
        self.signals = signals
    }
}
