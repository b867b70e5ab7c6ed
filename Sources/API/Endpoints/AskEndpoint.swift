import Domain
import Runtime

/// `POST /functions/v1/ask`: a question and its answer in Milo's dialect.
struct AskEndpoint: Sendable {
    let turns: TurnEndpoint

    private static let body = Schema.object(
        .required("user_id", .uuid.noted("The patient.")),
        .required("text", .message),
        .optional(
            "context",
            .object(
                .optional("tone", .string(.plainWords).noted("How the reply should sound, such as warm.")),
                .optional(
                    "max_words",
                    .integer(1...10_000).noted("The reply's cap in words. Lowers the cap of 20, never raises it.")
                )
            ).named("AskContext")
        ),
        .optional(
            "tts",
            .boolean.noted("Whether speech is wanted. No speech engine is configured: it changes nothing.")
        ),
        .optional("message_id", .messageKey)
    ).named("AskRequest")

    private static let answer = Schema.object(
        .required("message_id", .uuid),
        .required("response_text", .string().noted("The words to be read aloud, 1 to 20 of them.")),
        .required(
            "tts_url",
            .string().orNull.noted(
                "Where the spoken reply is; null, also when asked for, while no speech engine is configured."
            )
        )
    ).named("AskAnswer")

    var operation: Operation {
        Operation(
            "ask",
            "Answer a question in at most 20 words",
            dialect: .milo,
            parameters: [.idempotencyKey, .deadline],
            body: Operation.Body(
                Self.body,
                example: [
                    "user_id": Examples.patient, "text": "What does Medicare Part B cover?",
                    "context": ["tone": "warm", "max_words": 20], "tts": true,
                ]
            ),
            successes: [
                Operation.Success(
                    Self.answer,
                    example: [
                        "message_id": Examples.message,
                        "response_text": "Medicare Part B helps pay for doctor visits and outpatient care.",
                        "tts_url": .null,
                    ],
                    note: "The reply."
                )
            ],
            refusals: TurnEndpoint.refusals,
            access: .key(scope: .turns, answer)
        )
    }

    private func answer(_ call: ValidatedRequest, _ tenant: TenantID) async throws(APIError) -> Outcome {
        let message = try Self.message(call)
        let answer = try await turns.answer(message, for: tenant, in: call, patientAt: "user_id")
        let body: JSONValue = [
            "message_id": .string(answer.reply.message.description),
            "response_text": .string(answer.reply.text),
            "tts_url": .null,
        ]
        return turns.outcome(answer, to: message, body)
    }

    private static func message(_ call: ValidatedRequest) throws(APIError) -> IncomingMessage {
        let body = call.body
        guard let patient = body.text("user_id").flatMap({ PatientID($0) }), let text = body.text("text") else {
            throw .failed
        }
        return IncomingMessage(
            patient: patient,
            text: text,
            name: call.messageName,
            wordCap: body["context"]?["max_words"]?.integer,
            tone: body["context"]?.text("tone"),
            paths: IncomingMessage.Paths(text: "text")
        )
    }
}
