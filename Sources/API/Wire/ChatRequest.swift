import Domain
import Runtime

/// A chat completion request, reduced to the user's last message.
struct ChatRequest {
    /// Name of this service's model.
    static let model = "hearth"

    let model: String
    let patient: String?
    let text: String
    let textPath: String
    let isStreamed: Bool
    let includesUsage: Bool

    private static let part = Schema.object(.required("type", .string()), .optional("text", .string()))
    private static let wordsPart = Schema.object(
        .required("type", .string(.oneOf(["text"]))),
        .required("text", .string(.notBlank))
    )
    private static let userMessage = Schema.object(
        .required("role", .string(.oneOf(["user"]))),
        .required(
            "content",
            .either(.string(.notBlank), .array(part, count: 0...100, atLeastOne: wordsPart.noted("must have words")))
        )
    ).noted("must have a message of the user with words")

    static let schema = Schema.object(
        .required("model", .string().noted("hearth, or hearth:<bundle> for a prompt bundle by name.")),
        .required(
            "messages",
            .array(
                .object(
                    .required(
                        "role",
                        .string(.oneOf(["system", "developer", "user", "assistant", "tool", "function"]))
                    ),
                    .optional(
                        "content",
                        .either(.string(), .array(part, count: 0...100))
                    )
                ).named("ChatMessage"),
                count: 1...1000,
                atLeastOne: userMessage
            ).noted(
                "The last message of the user that has words is the turn, at most 4,000 characters of it. The others are "
                    + "not read: the service remembers by itself."
            )
        ),
        .optional("user", .string().noted("The patient's UUID, unless X-Patient-Id names it.")),
        .optional("stream", .boolean),
        .optional("stream_options", .object(.optional("include_usage", .boolean)).named("ChatStreamOptions")),
        .optional("n", .integer(1...1)),
        .optional("temperature", .number(0...2)),
        .optional("top_p", .number(0...1)),
        .optional("presence_penalty", .number(-2...2)),
        .optional("frequency_penalty", .number(-2...2)),
        .optional("max_tokens", .integer(1...Int.max)),
        .optional("max_completion_tokens", .integer(1...Int.max)),
        .optional("seed", .integer(Int.min...Int.max)),
        .optional("stop", .either(.string(), .array(.string(), count: 0...4))),
        .optional("tools", .array(.object())),
        .optional("tool_choice", .string(.oneOf(["none", "auto"])))
    ).named("ChatCompletionRequest").noted(
        "Sampling parameters, tools and formats are accepted and have no effect: the reply is the service's own. "
            + "A tool is never called, so a `tool_choice` that asks for one is refused."
    )

    /// Reads a body that satisfies the schema.
    init(_ body: JSONValue) throws(APIError) {
        guard let model = body.text("model"), let messages = body["messages"]?.array,
            let index = messages.lastIndex(where: { Self.userMessage.holds($0) })
        else { throw .failed }
        self.model = model
        patient = body.text("user")
        text = Self.words(messages[index]["content"] ?? .null)
        textPath = "messages[\(index)].content"
        isStreamed = body["stream"]?.bool ?? false
        includesUsage = body["stream_options"]?["include_usage"]?.bool ?? false
    }

    /// Returns the prompt bundle that the model's name selects; nil when it selects none.
    func bundle(of bundles: any PromptBundles) throws(APIError) -> String? {
        if model == Self.model { return nil }
        let prefix = "\(Self.model):"
        guard model.hasPrefix(prefix) else { throw .unknownModel }
        let bundle = String(model.dropFirst(prefix.count))
        guard bundles.names.contains(bundle) else { throw .unknownModel }
        return bundle
    }

    private static func words(_ content: JSONValue) -> String {
        content.string
            ?? (content.array ?? []).filter { $0.text("type") == "text" }.compactMap { $0.text("text") }
            .joined(separator: " ")
    }
}
