package import Conversation
import Cryptography

/// A bundle that has been read, checked and made ready for turns.
package struct LoadedBundle: Sendable {
    /// Its files.
    package let files: [BundleFile]
    /// Its prompts.
    package let prompts: PromptBundle
    /// What turns are answered with.
    package let turn: TurnBundle
    /// Files that were left out because they are wrong, each with the reason.
    package let missing: [String]

    /// Makes a bundle whose parts all come from the same files.
    package init(files: [BundleFile], prompts: PromptBundle, turn: TurnBundle, missing: [String] = []) {
        self.files = files
        self.prompts = prompts
        self.turn = turn
        self.missing = missing
    }

    /// The digest of all files, in 64 hexadecimal digits.
    package var digest: String { prompts.digest.hex }

    /// This bundle with another trust in models.
    func trusting(_ trust: ModelTrust) -> LoadedBundle {
        LoadedBundle(files: files, prompts: prompts, turn: turn.trusting(trust), missing: missing)
    }

    /// Makes a bundle of files: reads them, checks them and compiles what must be compiled.
    ///
    /// Blocks for as long as compiling takes, so never from a task or a loop.
    package typealias Maker = @Sendable ([BundleFile]) throws(BundleError) -> LoadedBundle

    /// This bundle as it is tried beside another: with the rules of the other as its floor, where its own differ.
    func tried(beside active: LoadedBundle) -> TurnBundle {
        safety == active.safety ? turn : turn.onFloor(of: active.turn)
    }

    /// The files that are no prompts: rules, lines and thresholds.
    private var safety: [BundleFile] {
        files.filter { !$0.isPrompt }.sorted { $0.path < $1.path }
    }
}
