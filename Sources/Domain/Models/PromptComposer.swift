package import Foundation
import Runtime

/// The prompt of a model, composed from the active bundle.
package struct Prompt: Sendable, Equatable {
    /// One message of the prompt.
    package struct Message: Sendable, Equatable {
        /// The speaker of a message.
        package enum Role: String, Sendable, Codable { case system, user, assistant }

        /// The speaker.
        package let role: Role
        /// The text; it contains no role token of a model.
        package let text: String

        /// An estimate of its tokens: about four bytes each, and four for the message.
        package var estimatedTokens: Int { (text.utf8.count + 3) / 4 + 4 }

        /// Makes a message; makes the brackets of role tokens round.
        package init(_ role: Role, _ text: String) {
            self.role = role
            self.text = text.withoutRoleTokens
        }
    }

    /// The messages; constant ones come first, so that a provider's prompt cache hits.
    package let messages: [Message]
    /// The bundle of the prompt.
    package let version: String
    /// The greatest number of tokens that the model may write.
    package let maximumTokens: Int
    /// The sampling temperature.
    package let temperature: Double
    /// The texts at which the model stops.
    package let stop: [String]

    package init(
        messages: [Message],
        version: String,
        maximumTokens: Int = 60,
        temperature: Double = 0.4,
        stop: [String] = []
    ) {
        self.messages = messages
        self.version = version
        self.maximumTokens = maximumTokens
        self.temperature = temperature
        self.stop = stop
    }
}

extension Prompt {
    /// An estimate of its tokens for when a provider does not report them.
    package var estimatedTokens: Int { messages.reduce(0) { $0 + $1.estimatedTokens } }
}

/// The input of a prompt.
package struct PromptInput: Sendable {
    /// The patient's message.
    package let text: String
    /// The present time.
    package let date: Date
    /// The patient's data; nil when memory could not be read.
    package let memory: PatientMemory?
    /// The recalled memories, nearest first.
    package let memories: [RecalledMemory]
    /// The reply's cap in words.
    package let wordCap: Int
    /// The tone of the reply.
    package let tone: String
    /// True if the model should begin with a verdict on the message.
    package let asksVerdict: Bool
    /// The rule that an earlier reply broke; nil for the first reply.
    package let correction: String?
    /// True if the demonstration model is asked; a bundle may hold a separate prompt for it.
    package let isForDemonstration: Bool

    package init(
        text: String,
        date: Date,
        memory: PatientMemory?,
        memories: [RecalledMemory],
        wordCap: Int,
        tone: String,
        asksVerdict: Bool = false,
        correction: String? = nil,
        isForDemonstration: Bool = false
    ) {
        self.text = text
        self.date = date
        self.memory = memory
        self.memories = memories
        self.wordCap = wordCap
        self.tone = tone
        self.asksVerdict = asksVerdict
        self.correction = correction
        self.isForDemonstration = isForDemonstration
    }
}

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

    /// Composes the prompt that asks which reminder words mean.
    ///
    /// - Parameter now: The time on the patient's clock, such as "Monday 2026-03-02 10:00".
    /// - Throws: ``PromptError/noBundle`` when the bundle has no such prompt.
    func composeReminder(said: String, now: String) throws(PromptError) -> Prompt
}

extension PromptComposer {
    /// Throws, since this composer has no prompt for a second check.
    package func composeTriage(said: String) throws(PromptError) -> Prompt { throw .noBundle }

    /// Throws, since this composer has no prompt for reminders.
    package func composeReminder(said: String, now: String) throws(PromptError) -> Prompt { throw .noBundle }
}
