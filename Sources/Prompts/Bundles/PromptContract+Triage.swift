extension PromptContract {
    /// The prompt of the triage model: `triage.prompt`.
    ///
    /// A bundle without it loads, and triage is then skipped.
    package static let triage = PromptContract(
        "triage",
        [Supply("said", .string, .turn)],
        samples: [Sample(values: ["said": .string("I went down in the hall.")], history: [])],
        isRequired: false
    )
}
