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
            system: prompt.messages.filter { $0.role == .system }.map(\.text).joined(separator: "\n\n"),
            messages: Self.turns(prompt),
            max_tokens: prompt.maximumTokens,
            temperature: min(1, prompt.temperature),
            stop_sequences: prompt.stop.isEmpty ? nil : prompt.stop,
            stream: true
        )
        return (try? JSONEncoder().encode(request)).map(Array.init) ?? []
    }

    func read(_ event: ServerSentEvents.Event) -> [StreamReading] {
        guard let said = try? JSONDecoder().decode(Event.self, from: Data(event.data)) else {
            return [.failure(.malformed(reason: "an event is no message event"))]
        }
        switch said.type {
        case "message_start": return Self.usage(said.message?.usage)
        case "content_block_delta": return Self.text(said.delta?.text)
        case "message_delta":
            let refused = said.delta?.stop_reason == "refusal"
            let failure: [StreamReading] =
                refused ? [.failure(.refused(status: 200, retryAfter: nil, message: "refusal"))] : []
            return Self.usage(said.usage) + failure
        case "message_stop": return [.end]
        case "error": return [.failure(.refused(status: 200, retryAfter: nil, message: said.error?.type ?? "error"))]
        default: return []
        }
    }

    func read(whole document: [UInt8]) -> [StreamReading] {
        guard let message = try? JSONDecoder().decode(Message.self, from: Data(document)), let blocks = message.content
        else {
            return [.failure(.malformed(reason: "the answer is no message"))]
        }
        return Self.text(blocks.compactMap(\.text).joined()) + Self.usage(message.usage) + [.end]
    }

    private static func text(_ text: String?) -> [StreamReading] {
        guard let text, !text.isEmpty else { return [] }
        return [.text(text)]
    }

    private static func usage(_ usage: Usage?) -> [StreamReading] {
        guard let usage else { return [] }
        return [.usage(promptTokens: usage.input_tokens, completionTokens: usage.output_tokens)]
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
        let system: String
        let messages: [Message]
        let max_tokens: Int
        let temperature: Double
        let stop_sequences: [String]?
        let stream: Bool
    }

    private struct Usage: Decodable {
        let input_tokens: Int?
        let output_tokens: Int?
    }

    private struct Block: Decodable {
        let text: String?
    }

    private struct Message: Decodable {
        let content: [Block]?
        let usage: Usage?
    }

    private struct Event: Decodable {
        struct Delta: Decodable {
            let text: String?
            let stop_reason: String?
        }

        struct Failure: Decodable {
            let type: String?
        }

        let type: String
        let message: Message?
        let delta: Delta?
        let usage: Usage?
        let error: Failure?
    }
}
