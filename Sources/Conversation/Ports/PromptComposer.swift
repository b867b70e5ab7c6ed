/// A reason why a prompt could not be composed.
package enum PromptError: Error, Equatable {
    /// No bundle has been loaded.
    case noBundle
    /// A required value is missing.
    case missingVariable(String)
    /// The bundle's template could not be rendered.
    case notRendered(reason: String)
}

extension PromptError: CustomStringConvertible {
    /// A clause for the reader of an error.
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

    /// Composes the prompt of a turn; values stay plain text, whatever markers they contain.
    func compose(_ input: PromptInput) throws(PromptError) -> Prompt

    /// Composes the prompt that asks for the facts in a patient's messages, oldest first.
    func composeExtraction(
        _ exchanges: [PatientMemory.Exchange],
        of patient: Patient
    ) throws(PromptError) -> Prompt

    /// Composes the prompt of the second check of a message.
    ///
    /// - Throws: ``PromptError/noBundle`` when the bundle has no such prompt.
    func composeTriage(said: String) throws(PromptError) -> Prompt
}

extension PromptComposer {
    /// Throws, since this composer has no prompt for a second check.
    package func composeTriage(said: String) throws(PromptError) -> Prompt { throw .noBundle }
}
