import Conversation
import Foundation

/// Selects the patients of a trial.
extension BundlesInForce {
    /// Selects the bundle for a turn.
    ///
    /// A turn that names a resident bundle gets it and counts in no trial. A trial excludes patients with unread
    /// records, with an open alert, or in the middle of a conversation. A conversation keeps its first bundle. Admitted
    /// patients stay until an alert is opened.
    func choice(
        for turn: Turn,
        _ memory: PatientMemory?,
        begunWith active: TurnBundle,
        at date: Date
    ) -> BundleChoice {
        if let name = turn.bundle, let asked = asked(for: name) { return BundleChoice(asked) }
        let stays = BundleChoice(active)
        guard let memory, memory.openAlerts == [], turn.isAwaited, let trial,
            let place = trial.patients.place(of: turn.patient)
        else { return stays }
        switch place.arm {
        case .shadow:
            return BundleChoice(active, place)
        case .control:
            let counts = takes(place, memory, begunWith: active.version, at: date)
            return counts ? BundleChoice(active, place) : stays
        case .candidate:
            let counts = takes(place, memory, begunWith: trial.candidate.version, at: date)
            return counts ? BundleChoice(trial.candidate, place) : stays
        }
    }

    /// Returns true if a patient's turn belongs to the trial: its conversation began there, or begins now with a free
    /// place.
    private func takes(_ place: TrialPlace, _ memory: PatientMemory, begunWith version: String, at date: Date) -> Bool {
        withLedger(ofTrial: place.release) { ledger in
            guard memory.conversation != nil, let begun = memory.conversationBundle else {
                return ledger.admit(place, at: date)
            }
            // Another replica may have begun the conversation; a candidate's conversation always belongs to the trial.
            return begun == version && (ledger.has(place) || place.arm == .candidate)
        } ?? false
    }
}
