package import Conversation
import Cryptography

/// A bundle that has been read, checked and prepared for turns.
package struct LoadedBundle: Sendable {
    /// The bundle's files.
    package let files: [BundleFile]
    /// The bundle's prompts.
    package let prompts: PromptBundle
    /// The parts that answer turns.
    package let turn: TurnBundle
    /// The faulty files that were left out, each with the reason.
    package let missing: [String]

    package init(files: [BundleFile], prompts: PromptBundle, turn: TurnBundle, missing: [String] = []) {
        self.files = files
        self.prompts = prompts
        self.turn = turn
        self.missing = missing
    }

    /// The digest of all files, in 64 hexadecimal digits.
    package var digest: String { prompts.digest.hex }

    /// Returns this bundle with another trust in models.
    func trusting(_ trust: ModelTrust) -> LoadedBundle {
        LoadedBundle(files: files, prompts: prompts, turn: turn.trusting(trust), missing: missing)
    }

    /// Makes a bundle from files: reads, checks and compiles them.
    ///
    /// Blocks while compiling, so never call it from a task or a loop.
    package typealias Maker = @Sendable ([BundleFile]) throws(BundleError) -> LoadedBundle

    /// Returns this bundle as a trial candidate; where its rules differ, the active bundle's rules stay as a minimum.
    func tried(beside active: LoadedBundle) -> TurnBundle {
        safety == active.safety ? turn : turn.onFloor(of: active.turn)
    }

    /// The files that are no prompts: rules, lines and thresholds.
    private var safety: [BundleFile] {
        files.filter { !$0.isPrompt }.sorted { $0.path < $1.path }
    }
}
