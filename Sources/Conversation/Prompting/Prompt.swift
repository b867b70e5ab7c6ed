import Runtime

/// What a model is asked, composed from the active bundle.
package struct Prompt: Sendable, Equatable {
    /// One message of the prompt.
    package struct Message: Sendable, Equatable {
        /// Who speaks in it.
        package enum Role: String, Sendable, Codable { case system, user, assistant }

        /// Who speaks.
        package let role: Role
        /// What is said; no mark in it tells a model that somebody else speaks.
        package let text: String

        /// Makes a message; the brackets of role tokens become round ones.
        package init(_ role: Role, _ text: String) {
            self.role = role
            self.text = text.withoutRoleTokens
        }
    }

    /// The messages; what never changes comes first, so that a provider's prompt cache hits.
    package let messages: [Message]
    /// The bundle that it was composed from.
    package let version: String
    /// The most tokens that the model may write.
    package let maximumTokens: Int
    /// The sampling temperature.
    package let temperature: Double
    /// Text at which the model stops.
    package let stop: [String]

    /// Makes a prompt.
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
    /// A guess at its tokens for when a provider does not say: about four bytes each, and four for each message.
    package var estimatedTokens: Int {
        messages.reduce(0) { $0 + ($1.text.utf8.count + 3) / 4 + 4 }
    }
}
