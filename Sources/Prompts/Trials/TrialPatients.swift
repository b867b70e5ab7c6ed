package import Conversation
import Cryptography

/// Draws the patients of a trial at random: the same on every replica, others for every trial.
package struct TrialPatients: Sendable {
    private let release: Release
    private let plan: TrialPlan

    /// Draws for the trial of a release.
    package init(_ release: Release, _ plan: TrialPlan) {
        self.release = release
        self.plan = plan
    }

    /// The patient's place in the trial; nil for a patient outside it.
    package func place(of patient: PatientID) -> TrialPlace? {
        let bytes = Digest.sha256("\(release.environment) \(release.number) \(patient)").bytes
        let draw = bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return arm(Double(draw >> 11) / Double(1 << 53)).map {
            TrialPlace(release: release.number, arm: $0, patient: Int64(bitPattern: draw))
        }
    }

    /// The arm for a draw between 0 and 1.
    private func arm(_ draw: Double) -> TrialArm? {
        switch release.trial?.kind {
        case .canary:
            if draw < plan.share { return .candidate }
            return draw < plan.share + plan.controlShare ? .control : nil
        case .shadow: return draw < plan.share ? .shadow : nil
        case nil: return nil
        }
    }
}
