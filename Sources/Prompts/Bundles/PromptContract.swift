package import Conversation

/// The variables that the service supplies to a prompt, and its requirements.
package struct PromptContract: Sendable {
    /// The prompt's name.
    package let name: String
    /// The variables that are supplied.
    package let supplied: InputSchema
    /// The volatility of each variable.
    package let volatility: [String: Volatility]
    /// The variables made by the service itself, without anybody's words.
    package let ownValues: Set<String>
    /// Inputs that the prompt must render: the fullest and the emptiest.
    package let samples: [Sample]
    /// True if the service needs the prompt.
    package let isRequired: Bool

    /// One input of a prompt.
    package struct Sample: Sendable {
        /// The variables.
        package let values: TemplateObject
        /// The earlier messages.
        package let history: [Prompt.Message]
    }

    /// A variable with its volatility.
    struct Supply {
        let variable: InputSchema.Variable
        let volatility: Volatility
        let isOwn: Bool

        init(
            _ name: String,
            _ type: InputType,
            _ volatility: Volatility,
            isOptional: Bool = false,
            isOwn: Bool = false
        ) {
            variable = InputSchema.Variable(name, type, isOptional: isOptional)
            self.volatility = volatility
            self.isOwn = isOwn
        }
    }

    init(_ name: String, _ supplies: [Supply], samples: [Sample], isRequired: Bool = true) {
        self.name = name
        self.samples = samples
        self.isRequired = isRequired
        ownValues = Set(supplies.filter(\.isOwn).map(\.variable.name))
        supplied = InputSchema(supplies.map(\.variable))
        volatility = Dictionary(uniqueKeysWithValues: supplies.map { ($0.variable.name, $0.volatility) })
    }

    /// The contracts of all prompts that the service uses.
    package static let all = [companion, extraction, triage]
}
