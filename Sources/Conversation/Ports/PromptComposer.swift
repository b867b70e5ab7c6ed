/// Why a prompt could not be composed.
package enum PromptError: Error, Equatable {
    /// No bundle has been loaded.
    case noBundle
    /// A value that the prompt needs is missing.
    case missingVariable(String)
    /// The bundle's template could not be rendered with the values.
    case notRendered(reason: String)
}

extension PromptError: CustomStringConvertible {
    /// A clause for whoever reads it.
    package var description: String {
        switch self {
        case .noBundle: "no prompt of this name is loaded"
        case .missingVariable(let name): "the input lacks \"\(name)\", which the prompt needs"
        case .notRendered(let reason): reason
        }
    }
}

/// Composes prompts from the active bundle.
package protocol PromptComposer: Sendable {
    /// The version of the active bundle.
    var version: String { get }

    /// Composes the prompt of a turn; values stay text, whatever markers they hold.
    func compose(_ input: PromptInput) throws(PromptError) -> Prompt

    /// Composes the prompt that asks for the facts in what a patient said, oldest first.
    func composeExtraction(
        _ exchanges: [PatientMemory.Exchange],
        of patient: Patient
    ) throws(PromptError) -> Prompt

    /// Composes the prompt of the second look at a message.
    ///
    /// - Throws: ``PromptError/noBundle`` when the bundle has none.
    func composeTriage(said: String) throws(PromptError) -> Prompt
}

extension PromptComposer {
    /// A composer that has no prompt for a second look.
    package func composeTriage(said: String) throws(PromptError) -> Prompt { throw .noBundle }
}
