import YAML

/// What the front matter of a prompt sets.
package struct PromptSettings: Sendable, Equatable {
    /// What the prompt is for, in a sentence; empty when not said.
    package var summary = ""
    /// The model that the prompt was written for; nil leaves it to the service.
    package var model: String?
    /// The most tokens that the model may write; nil leaves it to the service.
    package var maximumTokens: Int?
    /// The sampling temperature; nil leaves it to the service.
    package var temperature: Double?
    /// Text at which the model stops.
    package var stop: [String] = []
    /// The variables.
    package var input = InputSchema.empty
    /// Values of variables that are not given.
    package var defaults = TemplateObject()
    /// How much of a patient's records goes into the prompt.
    package var amounts = PromptAmounts()
    /// Keys of other tools, in the order of the file; kept and not read.
    package var extensions: [String] = []
}

/// How much of a patient's records goes into a prompt.
package struct PromptAmounts: Sendable, Equatable {
    /// Earlier turns, 0 to 20.
    package var turns = 6
    /// Facts, 0 to 60.
    package var facts = 24
    /// Recalled memories, 0 to 16.
    package var memories = 3
    /// Tokens that the whole prompt may have by our estimate, beyond which lint complains.
    package var tokens = 1_500
}
