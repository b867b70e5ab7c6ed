/// The bundle that answers a turn, and the turn's part in a trial.
package struct BundleChoice: Sendable {
    /// The bundle.
    package let bundle: TurnBundle
    /// The place of the turn in a trial; nil outside a trial.
    package let place: TrialPlace?

    package init(_ bundle: TurnBundle, _ place: TrialPlace? = nil) {
        self.bundle = bundle
        self.place = place
    }
}

/// The place of a turn in a trial: the trial, the arm, and the patient under a pseudonym of the trial.
package struct TrialPlace: Sendable, Equatable {
    /// The number of the release that began the trial.
    package let release: Int
    /// The arm.
    package let arm: TrialArm
    /// The patient, as a digest of the trial and the patient's identity.
    package let patient: Int64

    package init(release: Int, arm: TrialArm, patient: Int64) {
        self.release = release
        self.arm = arm
        self.patient = patient
    }
}

/// The part of a patient in a trial.
package enum TrialArm: String, Sendable, CaseIterable {
    /// Answered by the active bundle and compared with the candidate's patients.
    case control
    /// Is answered by the candidate.
    case candidate
    /// Answered by the active bundle; the candidate answers too, without being sent to the patient.
    case shadow
}
