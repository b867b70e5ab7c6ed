import Domain
import Runtime

/// Writes a streamed reply as a dialect's server-sent events.
protocol ReplyEvents: Sendable {
    /// Returns the text before the first sentence; empty when the dialect has none.
    func opening(_ beginning: SentenceStream.Beginning) -> String

    /// Writes a sentence with its position in the reply.
    func sentence(_ text: String, at index: Int, of beginning: SentenceStream.Beginning) -> String

    /// Writes the end of a complete reply.
    func closing(_ reply: Reply) -> String

    /// Writes the end of a reply that failed after its first sentence.
    func failure(_ refusal: APIError) -> String
}

/// Streams a reply in Elder Companion's shape: each sentence as an event, then the plain route's answer.
struct SentenceEvents: ReplyEvents {
    /// Schema of every event's data: a sentence with its position, the whole answer, or an error.
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

    /// Identity of the caller's request.
    let requestID: String

    func opening(_ beginning: SentenceStream.Beginning) -> String { "" }

    func sentence(_ text: String, at index: Int, of beginning: SentenceStream.Beginning) -> String {
        event("sentence", ["index": .integer(index), "text": .string(text)])
    }

    func closing(_ reply: Reply) -> String {
        event("reply", ["success": true, "data": reply.elderCompanion])
    }

    func failure(_ refusal: APIError) -> String {
        event("error", ErrorResponse(refusal).body(in: .elderCompanion, requestID: requestID))
    }

    private func event(_ name: String, _ data: JSONValue) -> String { "event: \(name)\ndata: \(data.text)\n\n" }
}
