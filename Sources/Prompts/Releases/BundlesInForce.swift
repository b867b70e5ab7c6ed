package import Conversation
import Foundation
import Runtime
import Synchronization

/// The bundle in force, a trial beside it, and the last few bundles, which stay ready so that going back costs nothing.
///
/// A turn takes a bundle and keeps it, so that no turn is answered by parts of two; the swap itself is one assignment.
package final class BundlesInForce: PromptBundles, PromptComposer {
    /// A bundle that is tried beside the one in force.
    struct Trial: Sendable {
        let release: Release
        var candidate: TurnBundle
        let plan: TrialPlan
        let patients: TrialPatients
        var ledger: TrialLedger
    }

    fileprivate struct State {
        var active: LoadedBundle
        var release: Release?
        var trial: Trial?
        var resident: [LoadedBundle]
        var refusal: BundleError?
    }

    /// How many bundles stay ready.
    fileprivate static let mostResident = 4
    private let state: Mutex<State>

    /// Puts a first bundle in force.
    package init(_ first: LoadedBundle) {
        state = Mutex(State(active: first, resident: [first]))
    }

    /// The bundle in force.
    package var loaded: LoadedBundle { state.withLock { $0.active } }

    /// The newest release that was heard of; nil while the files are followed.
    package var release: Release? { state.withLock { $0.release } }

    /// Why the files, or the bundle of the newest release, are not in force; nil when they are.
    package var refusal: BundleError? { state.withLock { $0.refusal } }

    package var version: String { loaded.turn.version }

    package var names: [String] {
        state.withLock { state in
            [state.active.turn.version]
                + state.resident.filter { $0.digest != state.active.digest }.map(\.turn.version)
        }
    }

    /// The bundle that a turn asks for by name, on the floor of the one in force; nil when it is not ready.
    func asked(for name: String) -> TurnBundle? {
        state.withLock { state in
            state.resident.first { $0.turn.version == name }?.tried(beside: state.active)
        }
    }

    package func compose(_ input: PromptInput) throws(PromptError) -> Prompt {
        try loaded.turn.composer.compose(input)
    }

    package func composeExtraction(
        _ exchanges: [PatientMemory.Exchange],
        of patient: Patient
    ) throws(PromptError) -> Prompt {
        try loaded.turn.composer.composeExtraction(exchanges, of: patient)
    }

    package func composeTriage(said: String) throws(PromptError) -> Prompt {
        try loaded.turn.composer.composeTriage(said: said)
    }

    /// A bundle that is ready; nil when it must be loaded.
    func resident(_ digest: String) -> LoadedBundle? {
        state.withLock { $0.resident.first { $0.digest == digest } }
    }

    /// Puts the bundle of the files in force, unless a release says what is; returns whether it did.
    func follow(_ files: LoadedBundle) -> Bool {
        state.withLock { state in
            guard state.release == nil else { return false }
            state.active = files
            state.keep(files)
            state.refusal = nil
            return true
        }
    }

    /// Puts in force what a release says; an older release than the one that is known changes nothing.
    func put(_ release: Release, _ active: LoadedBundle, candidate: LoadedBundle?) -> Bool {
        state.withLock { state in
            guard release.number > state.release?.number ?? 0 else { return false }
            state.active = active
            state.release = release
            state.refusal = nil
            state.keep(active)
            state.trial = nil
            guard let trial = release.trial, let candidate else { return true }
            state.keep(candidate)
            let plan = TrialPlan(of: trial)
            state.trial = Trial(
                release: release,
                candidate: candidate.tried(beside: active),
                plan: plan,
                patients: TrialPatients(release, plan),
                ledger: TrialLedger(plan)
            )
            return true
        }
    }

    /// The digests of the bundles that are ready.
    var digests: [String] { state.withLock { $0.resident.map(\.digest) } }

    /// Gives the bundles that are ready the trust that holds now, by their digests; returns whether any had another.
    func renewTrust(_ trust: [String: ModelTrust]) -> Bool {
        state.withLock { state in
            let known = state.resident.map(\.turn.trust)
            state.resident = state.resident.map { bundle in trust[bundle.digest].map(bundle.trusting) ?? bundle }
            guard known != state.resident.map(\.turn.trust) else { return false }
            state.active = trust[state.active.digest].map(state.active.trusting) ?? state.active
            state.trial = state.trial?.renewed(beside: state.active, among: state.resident)
            return true
        }
    }

    /// Remembers why something was not put in force.
    func refuse(_ reason: BundleError) {
        state.withLock { $0.refusal = reason }
    }

    /// The trial that runs; nil when none does.
    var trial: Trial? { state.withLock { $0.trial } }

    /// Changes the ledger of a trial while it runs.
    func withLedger<Value>(ofTrial release: Int, _ body: (inout TrialLedger) -> sending Value) -> sending Value? {
        state.withLock { state in
            guard state.trial?.release.number == release, var ledger = state.trial?.ledger else { return nil }
            // The ledger is taken out while it is changed, so that it is not copied.
            state.trial?.ledger = TrialLedger(TrialPlan())
            defer { state.trial?.ledger = ledger }
            return body(&ledger)
        }
    }
}

extension BundlesInForce.Trial {
    /// The trial with the trust that holds now.
    fileprivate func renewed(beside active: LoadedBundle, among resident: [LoadedBundle]) -> Self {
        guard let own = resident.first(where: { $0.digest == release.trial?.bundle }) else { return self }
        var trial = self
        trial.candidate = own.tried(beside: active)
        return trial
    }
}

extension BundlesInForce.State {
    /// Keeps a bundle ready, the latest first.
    fileprivate mutating func keep(_ bundle: LoadedBundle) {
        resident.removeAll { $0.digest == bundle.digest }
        resident.insert(bundle, at: 0)
        resident.removeLast(max(0, resident.count - BundlesInForce.mostResident))
    }
}
