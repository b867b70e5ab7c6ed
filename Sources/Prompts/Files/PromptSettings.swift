import YAML

/// The settings in a prompt's front matter.
package struct PromptSettings: Sendable, Equatable {
    /// The purpose of the prompt in one sentence; empty when missing.
    package var summary = ""
    /// The intended model; nil for the service's choice.
    package var model: String?
    /// The maximum number of tokens in the model's reply; nil for the service's default.
    package var maximumTokens: Int?
    /// The sampling temperature; nil for the service's default.
    package var temperature: Double?
    /// The stop sequences.
    package var stop: [String] = []
    /// The variables.
    package var input = InputSchema.empty
    /// The defaults of missing variables.
    package var defaults = TemplateObject()
    /// The amount of a patient's records in the prompt.
    package var amounts = PromptAmounts()
    /// The keys of other tools in file order; they are kept and ignored.
    package var extensions: [String] = []
}

/// The amount of a patient's records in a prompt.
package struct PromptAmounts: Sendable, Equatable {
    /// The number of earlier turns, 0 to 20.
    package var turns = 6
    /// The number of facts, 0 to 60.
    package var facts = 24
    /// The number of recalled memories, 0 to 16.
    package var memories = 3
    /// The estimated tokens of the whole prompt above which lint warns.
    package var tokens = 1_500
}
