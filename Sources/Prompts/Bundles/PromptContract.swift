package import Conversation

/// What the service gives to a prompt that it asks for by name, and what it expects of it.
package struct PromptContract: Sendable {
    /// The prompt's name.
    package let name: String
    /// The variables that are supplied.
    package let supplied: InputSchema
    /// How often each changes.
    package let volatility: [String: Volatility]
    /// The variables that the service itself makes, in none of which anybody's words are.
    package let ownValues: Set<String>
    /// Inputs that the prompt must be able to render: the fullest and the emptest.
    package let samples: [Sample]
    /// Whether the service cannot do without it.
    package let isRequired: Bool

    /// One input.
    package struct Sample: Sendable {
        /// The variables.
        package let values: TemplateObject
        /// The earlier messages.
        package let history: [Prompt.Message]
    }

    /// A variable with how often it changes.
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

    /// The prompts that the service asks for.
    package static let all = [companion, extraction, triage]
}
