package import Conversation
import Foundation
import Synchronization

/// Composes prompts from the bundle that is in force, and takes in a new one when the files change.
///
/// A turn's prompt comes from one bundle, whatever is loaded meanwhile; a broken bundle leaves the last good
/// one.
package final class PromptLibrary: PromptComposer, PromptBundles {
    private let folder: PromptFolder?
    private let variant: String?
    private let active: Mutex<PromptBundle?>
    private let loading = Mutex(())

    /// Makes a library without a bundle; ``reload()`` reads the first.
    ///
    /// - Parameter variant: The variant that is used where a prompt has it.
    package init(_ folder: PromptFolder, variant: String? = nil) {
        self.folder = folder
        self.variant = variant
        active = Mutex(nil)
    }

    /// Makes a library of one bundle that never changes.
    package init(_ bundle: PromptBundle, variant: String? = nil) {
        folder = nil
        self.variant = variant
        active = Mutex(bundle)
    }

    /// The bundle in force; nil until one has been loaded.
    package var bundle: PromptBundle? { active.withLock { $0 } }

    package var version: String { bundle?.version ?? "none" }

    package var names: [String] { bundle.map { [$0.version] } ?? [] }

    /// Reads the files again and puts the new bundle in force for the turns that begin from now on.
    ///
    /// Blocks on the disk for some milliseconds; one reload runs at a time.
    ///
    /// - Returns: The version in force.
    /// - Throws: Why it was not loaded; what was in force stays so.
    @discardableResult
    package func reload() throws(BundleError) -> String {
        try loading.withLock { _ throws(BundleError) in
            guard let folder else { return version }
            let bundle = try PromptBundle(folder.files())
            active.withLock { $0 = bundle }
            return bundle.version
        }
    }

    /// Composes the reply's prompt; about 40 µs with a dozen facts, six turns and three memories.
    package func compose(_ input: PromptInput) throws(PromptError) -> Prompt {
        let (bundle, prompt) = try prompt(PromptContract.companion.name)
        let values = CompanionValues(input, prompt.file.settings.amounts)
        return try prompt.composed(values.values, history: values.history, version: bundle.version)
    }

    package func composeExtraction(
        said: String,
        answered: String,
        of patient: Patient
    ) throws(PromptError) -> Prompt {
        let (bundle, prompt) = try prompt(PromptContract.extraction.name)
        let values: TemplateObject = [
            "language": .string(SpokenLanguage(tag: patient.language).name),
            "name": .string(patient.name.onOneLine(atMost: 60)),
            "said": .string(said.onOneLine(atMost: 4_000)),
            "answered": .string(answered.onOneLine(atMost: 600)),
        ]
        return try prompt.composed(values, history: [], version: bundle.version)
    }

    private func prompt(_ name: String) throws(PromptError) -> (PromptBundle, BundledPrompt) {
        guard let bundle, let prompt = bundle.prompt(name, variant: variant) else { throw .noBundle }
        return (bundle, prompt)
    }
}
