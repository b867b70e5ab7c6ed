package import Conversation

/// How a trial is run and when it is over, settled before its first turn.
package struct TrialPlan: Sendable, Equatable {
    /// The share of patients whom the candidate answers, over 0 and at most 0.5.
    package let share: Double
    /// How many of a patient's turns are looked at.
    package let window: Int
    /// How many patients may be in the middle of their window with the candidate, on each replica.
    ///
    /// What keeps a bad candidate from meeting many patients before the first of them have shown anything.
    package let inFlight: Int
    /// How many patients the candidate is tried on.
    package let patients: Int
    /// How many days it may take.
    package let days: Double
    /// How often a candidate that is no worse may be rolled back, at most.
    package let falseAlarms: Double

    /// After so many days a patient's unit is closed with the turns that it has.
    static let unitDays = 3.0

    /// Makes a plan.
    package init(
        share: Double = 0.1,
        window: Int = 5,
        inFlight: Int = 8,
        patients: Int = 50,
        days: Double = 14,
        falseAlarms: Double = 0.05,
        controls: Int? = nil
    ) {
        self.share = share
        self.window = window
        self.inFlight = inFlight
        self.patients = patients
        self.days = days
        self.falseAlarms = falseAlarms
        self.controls = controls ?? max(1, min(4, Int((1 - share) / share)))
    }

    /// The plan of a trial; of a shadow, who is answered twice is weighed against himself.
    package init(of trial: Release.Trial) {
        self.init(share: trial.share, controls: trial.kind == .shadow ? 1 : nil)
    }

    /// How many patients of the control are weighed against one of the candidate's, 1 to 4.
    package let controls: Int

    /// The share of patients in the control.
    var controlShare: Double { min(1 - share, Double(controls) * share) }
}
