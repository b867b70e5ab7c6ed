import Conversation
import Runtime

/// `POST /api/v1/conversations/patient/stream`: the plain route's reply as a stream of sentences.
struct PatientStreamEndpoint: Sendable {
    let turns: TurnEndpoint

    var operation: Operation {
        Operation(
            "streamPatientMessage",
            "Answer what a patient said, sentence by sentence",
            note:
                "Server-sent events: `sentence` for each sentence, as soon as it has passed the output screen, and at last "
                + "`reply`, which holds what the plain route answers. What is refused before the first sentence is refused "
                + "with a status; after it, the last event is `error`. Sentences that were spoken stand: when the connection "
                + "breaks, the same key brings the stored reply. The message, its key and its alerts are the plain route's.",
            dialect: .elderCompanion,
            parameters: [.idempotencyKey, .deadline],
            body: Operation.Body(
                PatientMessageEndpoint.body,
                example: [
                    "patient_id": Examples.patient, "message": "I'm dizzy",
                    "context": ["triggered_by": "manual", "app_state": "active"],
                ]
            ),
            successes: [
                Operation.Success(
                    mediaType: "text/event-stream",
                    .anything.noted("Events named sentence, reply and error; the data of each is a ReplyEvent."),
                    event: SentenceEvents.schema,
                    note: "The reply's sentences and then the whole of it."
                )
            ],
            refusals: TurnEndpoint.refusals + [.timestampInFuture, .timestampTooOld],
            access: .key(scope: "turns", answer)
        )
    }

    private func answer(_ call: Call, _ tenant: TenantID) async throws(Refusal) -> Outcome {
        let message = try PatientMessageEndpoint.message(call)
        let events = SentenceEvents(requestID: call.id)
        return try await turns.stream(message, for: tenant, in: call, patientAt: "patient_id", as: events)
    }
}
