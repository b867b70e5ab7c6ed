import Conversation
import Foundation

/// Anthropic's Messages API, version 2023-06-01.
struct AnthropicDialect: ModelDialect {
    let path = "/v1/messages"

    func headers(key: String?) -> [(String, String)] {
        [("anthropic-version", "2023-06-01")] + (key.map { [("x-api-key", $0)] } ?? [])
    }

    func body(_ prompt: Prompt, model: String) -> [UInt8] {
        let request = Request(
            model: model,
            system: Self.system(prompt),
            messages: Self.turns(prompt),
            max_tokens: prompt.maximumTokens,
            temperature: min(1, prompt.temperature),
            stop_sequences: Self.stopSequences(prompt),
            stream: true
        )
        return (try? JSONEncoder().encode(request)).map(Array.init) ?? []
    }

    func read(_ event: ServerSentEvents.Event) -> [StreamReading] {
        guard let said = try? JSONDecoder().decode(Event.self, from: Data(event.data)) else {
            return [.failure(.malformed(reason: "an event is no message event"))]
        }
        switch said.type {
        // Its count of what was written is of what comes before the text; the last event's is the account.
        case "message_start": return [.usage(promptTokens: said.message?.usage?.prompt, completionTokens: nil)]
        case "content_block_delta": return Self.text(said.delta?.text)
        case "message_delta": return Self.usage(said.usage) + Self.ending(said.delta?.stop_reason)
        case "message_stop": return [.end]
        case "error": return [.failure(.refused(status: 200, retryAfter: nil, message: said.error?.kind ?? "error"))]
        default: return []
        }
    }

    func read(whole document: [UInt8]) -> [StreamReading] {
        guard let message = try? JSONDecoder().decode(Message.self, from: Data(document)), let blocks = message.content
        else {
            return [.failure(.malformed(reason: "the answer is no message"))]
        }
        let text = Self.text(blocks.compactMap(\.text).joined())
        return text + Self.usage(message.usage) + Self.ending(message.stop_reason) + [.end]
    }

    /// The system text; nil when there is none, for an empty one is refused.
    private static func system(_ prompt: Prompt) -> String? {
        let texts = prompt.messages.filter { $0.role == .system }.map(\.text)
        return texts.isEmpty ? nil : texts.joined(separator: "\n\n")
    }

    /// Where the model stops; a sequence of white space alone is refused, and so is an empty list.
    private static func stopSequences(_ prompt: Prompt) -> [String]? {
        let written = prompt.stop.filter { $0.contains { !$0.isWhitespace } }
        return written.isEmpty ? nil : written
    }

    private static func ending(_ reason: String?) -> [StreamReading] {
        switch reason {
        case nil: []
        case "refusal": [.failure(.refused(status: 200, retryAfter: nil, message: "refusal"))]
        default: [.finished]
        }
    }

    private static func text(_ text: String?) -> [StreamReading] {
        guard let text, !text.isEmpty else { return [] }
        return [.text(text)]
    }

    private static func usage(_ usage: Usage?) -> [StreamReading] {
        guard let usage else { return [] }
        return [.usage(promptTokens: usage.prompt, completionTokens: usage.output_tokens)]
    }

    /// The turns after the system text; neighbours of one role are joined, since roles must alternate.
    private static func turns(_ prompt: Prompt) -> [Request.Message] {
        var turns: [Request.Message] = []
        for message in prompt.messages where message.role != .system {
            if let last = turns.last, last.role == message.role.rawValue {
                turns[turns.count - 1] = .init(role: last.role, content: last.content + "\n\n" + message.text)
            } else {
                turns.append(.init(role: message.role.rawValue, content: message.text))
            }
        }
        return turns
    }

    private struct Request: Encodable {
        struct Message: Encodable {
            let role: String
            let content: String
        }

        let model: String
        let system: String?
        let messages: [Message]
        let max_tokens: Int
        let temperature: Double
        let stop_sequences: [String]?
        let stream: Bool
    }

    private struct Usage: Decodable {
        let input_tokens: Int?
        let output_tokens: Int?
        let cache_creation_input_tokens: Int?
        let cache_read_input_tokens: Int?

        /// Every token that was read, whether from the provider's cache or not.
        var prompt: Int? {
            input_tokens.map { $0 + (cache_creation_input_tokens ?? 0) + (cache_read_input_tokens ?? 0) }
        }
    }

    private struct Block: Decodable {
        let text: String?
    }

    private struct Message: Decodable {
        let content: [Block]?
        let stop_reason: String?
        let usage: Usage?
    }

    private struct Event: Decodable {
        struct Delta: Decodable {
            let text: String?
            let stop_reason: String?
        }

        let type: String
        let message: Message?
        let delta: Delta?
        let usage: Usage?
        let error: ProviderFailure?
    }
}
