import Domain
import Foundation
import Runtime

/// Streams a reply as chat completion chunks, followed by the end marker.
struct ChatEvents: ReplyEvents {
    let model: String
    let date: Date
    let includesUsage: Bool
    /// Identity of the caller's request.
    let requestID: String

    func opening(_ beginning: SentenceStream.Beginning) -> String {
        event(chunk(beginning, [Self.choice(["role": "assistant", "content": ""], finish: nil)]))
    }

    /// Keeps the space before each sentence, so that the chunks concatenate to the reply.
    func sentence(_ text: String, at index: Int, of beginning: SentenceStream.Beginning) -> String {
        let content = index == 0 ? text : " \(text)"
        return event(chunk(beginning, [Self.choice(["content": .string(content)], finish: nil)]))
    }

    func closing(_ reply: Reply) -> String {
        let answer = ChatAnswer(reply: reply, model: model, date: date)
        let beginning = SentenceStream.Beginning(message: reply.message, promptVersion: reply.promptVersion)
        let last = event(chunk(beginning, [Self.choice([:], finish: "stop")], [("hearth", answer.details)]))
        let usage = includesUsage ? event(object(beginning, [], [("usage", answer.tokens)])) : ""
        return last + usage + "data: [DONE]\n\n"
    }

    func failure(_ refusal: APIError) -> String {
        event(ErrorResponse(refusal).body(in: .openAI, requestID: requestID))
    }

    private func chunk(
        _ beginning: SentenceStream.Beginning,
        _ choices: [JSONValue],
        _ more: [(String, JSONValue?)] = []
    ) -> JSONValue {
        object(beginning, choices, (includesUsage ? [("usage", .null)] : []) + more)
    }

    private func object(
        _ beginning: SentenceStream.Beginning,
        _ choices: [JSONValue],
        _ more: [(String, JSONValue?)]
    ) -> JSONValue {
        ChatAnswer.object(
            "chat.completion.chunk",
            message: beginning.message,
            promptVersion: beginning.promptVersion,
            model: model,
            date: date,
            choices,
            more
        )
    }

    private static func choice(_ delta: JSONValue, finish: String?) -> JSONValue {
        ["index": 0, "delta": delta, "logprobs": .null, "finish_reason": .optional(finish)]
    }

    private func event(_ data: JSONValue) -> String { "data: \(data.text)\n\n" }
}
