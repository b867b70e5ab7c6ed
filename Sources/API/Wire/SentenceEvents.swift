import Conversation
import Runtime

/// A reply in Elder Companion's shape, as events: each sentence, and then what the plain route would have answered.
struct SentenceEvents: ReplyEvents {
    /// What every event's data may hold: a sentence with its place, the whole answer, or an error.
    static let schema = Schema.object(
        .optional("index", .integer(0...Turn.maximumWords).noted("The sentence's place, from 0.")),
        .optional("text", .string().noted("A sentence, to be read aloud at once.")),
        .optional("success", .boolean),
        .optional("data", Schema.reply),
        .optional("error", Schema.errorDetails)
    ).named("ReplyEvent").noted(
        "`sentence` events hold index and text; the last event is `reply`, with success and data as on the plain route, or "
            + "`error`, with success and error."
    )

    /// What the caller's request is called.
    let requestID: String

    func opening(_ beginning: SentenceStream.Beginning) -> String { "" }

    func sentence(_ text: String, at index: Int, of beginning: SentenceStream.Beginning) -> String {
        event("sentence", ["index": .integer(index), "text": .string(text)])
    }

    func closing(_ reply: Reply) -> String {
        event("reply", ["success": true, "data": reply.elderCompanion])
    }

    func failure(_ refusal: Refusal) -> String {
        event("error", ErrorResponse(refusal).body(in: .elderCompanion, requestID: requestID))
    }

    private func event(_ name: String, _ data: JSONValue) -> String { "event: \(name)\ndata: \(data.text)\n\n" }
}
