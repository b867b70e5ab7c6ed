import Conversation
import Foundation

/// Whom a trial takes.
extension BundlesInForce {
    /// The bundle that answers a turn: the one that it asks for by name while that is ready, and then it counts nowhere.
    ///
    /// A trial takes nobody whose records could not be read, nobody with an open alert, and nobody in the middle of a
    /// conversation: what begins with one bundle goes on with it. Who was taken stays, unless an alert is opened.
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

    /// Whether a patient's turn belongs to the trial: the conversation began in it, or begins now and there is room.
    private func takes(_ place: TrialPlace, _ memory: PatientMemory, begunWith version: String, at date: Date) -> Bool {
        withLedger(ofTrial: place.release) { ledger in
            guard memory.conversation != nil, let begun = memory.conversationBundle else {
                return ledger.admit(place, at: date)
            }
            // Another replica may have begun the conversation; what the candidate began can only be the trial's.
            return begun == version && (ledger.has(place) || place.arm == .candidate)
        } ?? false
    }
}
