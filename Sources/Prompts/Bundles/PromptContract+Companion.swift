import Conversation

extension PromptContract {
    /// The prompt of a reply: `companion.prompt`.
    package static let companion = PromptContract(
        "companion",
        [
            Supply("spanish", .boolean, .setting),
            Supply("language", .string, .setting),
            Supply("companion", .string, .patient),
            Supply("name", .string, .patient, isOptional: true),
            Supply("tone", .string, .patient),
            Supply("facts", .list(.string), .patient),
            Supply(
                "family",
                .list(.object(InputSchema([.init("name", .string), .init("relation", .string)]))),
                .patient
            ),
            Supply("now", .string, .turn, isOptional: true, isOwn: true),
            Supply(
                "memories",
                .list(.object(InputSchema([.init("when", .string), .init("text", .string)]))),
                .turn
            ),
            Supply("wordCap", .integer, .turn, isOwn: true),
            Supply("verdict", .boolean, .setting),
            Supply("correction", .string, .turn, isOptional: true, isOwn: true),
            Supply("message", .string, .turn),
        ],
        samples: [fullTurn, bareTurn]
    )

    private static let fullTurn = Sample(
        values: [
            "spanish": .bool(true), "language": .string("Spanish"), "companion": .string("Milo"),
            "name": .string("Rose"), "tone": .string("warm"), "facts": .list([.string("Rose has a cat.")]),
            "family": .list([.object(["name": .string("Anna"), "relation": .string("daughter")])]),
            "now": .string("Tuesday 3 March 2026"), "verdict": .bool(true), "correction": .string("reply dose"),
            "wordCap": .integer(12), "message": .string("Hello"),
            "memories": .list([.object(["when": .string("3 days ago"), "text": .string("The cat was ill.")])]
            ),
        ],
        history: [Prompt.Message(.user, "Good morning"), Prompt.Message(.assistant, "Good morning, Rose.")]
    )

    /// The input when memory could not be read.
    private static let bareTurn = Sample(
        values: [
            "spanish": .bool(false), "language": .string("English"), "companion": .string("Milo"),
            "tone": .string("warm"), "facts": .list([]), "family": .list([]), "memories": .list([]),
            "wordCap": .integer(20), "verdict": .bool(false), "message": .string("Hello"),
        ],
        history: []
    )
}
