extension PromptContract {
    /// The prompt that asks for the facts in an exchange: `extract_facts.prompt`.
    package static let extraction = PromptContract(
        "extract_facts",
        [
            Supply("language", .string, .setting),
            Supply("name", .string, .patient),
            Supply("said", .string, .turn),
            Supply("answered", .string, .turn),
        ],
        samples: [
            Sample(
                values: [
                    "language": .string("English"), "name": .string("Rose"),
                    "said": .string("My cat is called Biscuit."),
                    "answered": .string("What a sweet name."),
                ],
                history: []
            )
        ]
    )
}
