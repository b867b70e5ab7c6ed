extension PromptContract {
    /// The prompt of the second look at a message: `triage.prompt`.
    ///
    /// A bundle without it loads, and then nothing is looked at.
    package static let triage = PromptContract(
        "triage",
        [Supply("said", .string, .turn)],
        samples: [Sample(values: ["said": .string("I went down in the hall.")], history: [])],
        isRequired: false
    )
}
