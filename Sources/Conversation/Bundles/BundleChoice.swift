/// The bundle that answers a turn, and the part that the turn has in a trial.
package struct BundleChoice: Sendable {
    /// The bundle.
    package let bundle: TurnBundle
    /// Where the turn counts; nil when it counts nowhere.
    package let place: TrialPlace?

    /// Makes a choice.
    package init(_ bundle: TurnBundle, _ place: TrialPlace? = nil) {
        self.bundle = bundle
        self.place = place
    }
}

/// Where a turn counts in a trial: which trial, which arm, and the patient under a name that only the trial knows.
package struct TrialPlace: Sendable, Equatable {
    /// The number of the release that began the trial.
    package let release: Int
    /// The arm.
    package let arm: TrialArm
    /// The patient, as a digest of the trial and the identity.
    package let patient: Int64

    /// Makes a place.
    package init(release: Int, arm: TrialArm, patient: Int64) {
        self.release = release
        self.arm = arm
        self.patient = patient
    }
}

/// What a patient is to a trial.
package enum TrialArm: String, Sendable, CaseIterable {
    /// Is answered by the bundle in force, and is counted beside the candidate's patients.
    case control
    /// Is answered by the candidate.
    case candidate
    /// Is answered by the bundle in force; the candidate answers too, unheard.
    case shadow
}
