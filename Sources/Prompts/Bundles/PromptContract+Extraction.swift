import Conversation

extension PromptContract {
    /// The prompt that extracts facts from a patient's words: `extract_facts.prompt`.
    ///
    /// A prompt for one exchange receives all exchanges joined in `said` and `answered`.
    package static let extraction = PromptContract(
        "extract_facts",
        [
            Supply("language", .string, .setting),
            Supply("name", .string, .patient),
            Supply(
                "turns",
                .list(.object(InputSchema([.init("said", .string), .init("answered", .string)]))),
                .turn
            ),
            Supply("said", .string, .turn),
            Supply("answered", .string, .turn),
        ],
        samples: [
            Sample(
                values: [
                    "language": .string("English"), "name": .string("Rose"),
                    "turns": .list([
                        .object([
                            "said": .string("My cat is called Biscuit."), "answered": .string("What a sweet name."),
                        ])
                    ]),
                    "said": .string("My cat is called Biscuit."),
                    "answered": .string("What a sweet name."),
                ],
                history: []
            )
        ]
    )
}
