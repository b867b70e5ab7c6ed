import Conversation
import Runtime

extension Schema {
    /// A UUID.
    static let uuid = Schema.string(.uuid)
    /// An instant with its zone.
    static let dateTime = Schema.string(.dateTime)

    /// A patient's speech as the device transcribed it.
    static let message = Schema.string(.notBlank).noted(
        "What the patient said, as the device heard it: 1 to 4,000 Unicode characters, not blank. Longer is refused with "
            + "413. Control characters are taken out before they are counted."
    )

    /// The time of speaking.
    static let spokenAt = Schema.dateTime.noted(
        "When it was said, with its zone: not more than 5 minutes ahead of the service's clock and not more than 30 days "
            + "ago, or it is refused with 422. Without it, it is said now."
    )

    /// The device's reason for sending a message.
    static let context = Schema.object(
        .optional("triggered_by", .string(.printableASCII(0...64)).noted("Such as manual, reminder, wake_word.")),
        .optional("app_state", .string(.printableASCII(0...64)).noted("Such as active, background.")),
        .optional("reminder_id", .uuid.noted("The reminder that the message answers."))
    ).named("MessageContext")

    /// The caller's identity for a message.
    static let messageKey = Schema.uuid.noted(
        "The caller's name for the message, for exactly-once treatment; `Idempotency-Key` goes before it."
    )

    /// The source of a reply's words.
    static let source = Schema.string(.oneOf(ReplySource.allCases.map(\.rawValue))).noted(
        "Where the words come from: a model, a fallback model, what was saved from a broken stream, the patient's "
            + "records, a line of the service that is filled from memory, or a fixed one."
    ).named("ReplySource")

    /// The severity of an alert.
    static let level = Schema.string(.oneOf(Level.allCases.map(\.rawValue))).named("Level")

    /// The degraded parts of the answer.
    static let degraded = Schema.array(.string(.oneOf(Degradation.allCases.map(\.rawValue))))
        .noted("What did not work while the reply was made, and was done without.")

    /// The findings of the screens.
    static let flags = Schema.array(.string()).noted(
        "What the screens found, gravest first: scam, fall and so on; `unknown_reminder` where `reminder_id` names no reminder "
            + "of the patient."
    )

    /// Wraps data in an Elder Companion response.
    static func envelope(_ data: Schema) -> Schema {
        .object(.required("success", .boolean), .required("data", data))
    }

    /// A reply in Elder Companion's shape.
    static let reply = Schema.object(
        .required("response", .string().noted("The words to be read aloud, 1 to 20 of them.")),
        .required("speak", .boolean.noted("Whether the device should read them aloud.")),
        .required("keep_listening", .boolean.noted("Whether the device should listen for an answer.")),
        .required("conversation_id", .uuid),
        .required(
            "alert_sent",
            .boolean.noted(
                "Whether people are told of this message: by an alert that was made durable for it, or by one that stands."
            )
        ),
        .required("message_id", .uuid.noted("The service's name for the message.")),
        .required("source", .source),
        .required("degraded", .degraded),
        .required("flags", .flags),
        .required("prompt_version", .string().noted("The prompt bundle in force."))
    ).named("Reply")

    /// The stable error codes.
    private static let errorCode = Schema.string(.oneOf(ErrorCode.allCases.map(\.rawValue))).named("ErrorCode")

    /// An error without a dialect's wrapper.
    static let errorDetails = Schema.object(
        .required("code", errorCode),
        .required("message", .string().noted("A sentence that says what to do.")),
        .required("retryable", .boolean.noted("Whether the same request may be answered another time.")),
        .required("retry_after_ms", .integer(0...Int.max).orNull),
        .required("field", .string().orNull.noted("The field or parameter at fault, by its path.")),
        .optional("offset", .integer(0...Int.max).noted("The byte at which the body stops being JSON.")),
        .required("request_id", .string())
    ).named("ErrorDetails")

    /// An error in a dialect's shape.
    static func error(in dialect: Dialect) -> Schema {
        switch dialect {
        case .elderCompanion, .operations:
            .object(.required("success", .boolean), .required("error", errorDetails)).named("Error")
        case .milo: .object(.required("error", errorDetails)).named("MiloError")
        case .openAI: .object(.required("error", openAIError)).named("OpenAIError")
        }
    }

    private static let openAIError = Schema.object(
        .required("message", .string()),
        .required("type", .string()),
        .required("param", .string().orNull),
        .required("code", errorCode),
        .required("request_id", .string())
    )
}

extension Reply {
    /// The reply in Elder Companion's shape.
    var elderCompanion: JSONValue {
        [
            "response": .string(text),
            "speak": true,
            "keep_listening": .bool(keepListening),
            "conversation_id": .string(conversation.description),
            "alert_sent": .bool(alertSent),
            "message_id": .string(message.description),
            "source": .string(source.rawValue),
            "degraded": .strings(degraded.map(\.rawValue)),
            "flags": .strings(flags),
            "prompt_version": .string(promptVersion),
        ]
    }
}

extension JSONValue {
    /// Returns a member as a string; null and missing both give nil.
    func text(_ name: String) -> String? { self[name]?.string }

    /// The caller's identity for the message.
    var messageID: MessageID? { text("message_id").flatMap { MessageID($0) } }

    /// The validated context of a message.
    var messageContext: Turn.Context {
        Turn.Context(
            triggeredBy: text("triggered_by") ?? "",
            appState: text("app_state") ?? "",
            reminder: text("reminder_id").flatMap { ReminderID($0) }
        )
    }
}

extension Call {
    /// The caller's keys for the message.
    var messageName: IncomingMessage.Name {
        IncomingMessage.Name(header: values[Parameter.idempotencyKey.name], body: body.messageID, ofBody: bodyKey)
    }
}
