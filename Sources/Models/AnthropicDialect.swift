import Domain
import Runtime

/// Anthropic's Messages API, version 2023-06-01.
struct AnthropicDialect: ModelDialect {
    let path = "/v1/messages"

    func headers(key: String?) -> [(String, String)] {
        [("anthropic-version", "2023-06-01")] + (key.map { [("x-api-key", $0)] } ?? [])
    }

    func body(_ prompt: Prompt, model: String, slot: Int?) -> [UInt8] {
        let request = JSONValue.members([
            "model": .string(model),
            "system": Self.system(prompt).map { .string($0) },
            "messages": .array(Self.turns(prompt)),
            "max_tokens": .integer(prompt.maximumTokens),
            "temperature": .number(String(min(1, prompt.temperature))),
            "stop_sequences": Self.stopSequences(prompt).map { .strings($0) },
            "stream": true,
        ])
        return request.bytes
    }

    func read(_ event: ServerSentEvents.Event) -> [CompletionEvent] {
        guard let said = try? JSONReader.read(event.data), let type = said["type"]?.string else {
            return [.failure(.malformed(reason: "an event is no message event"))]
        }
        switch type {
        // The first event's completion count covers nothing written; the last event's count is final.
        case "message_start":
            return [.usage(promptTokens: Self.promptTokens(said["message"]?["usage"]), completionTokens: nil)]
        case "content_block_delta": return Self.text(said["delta"]?["text"]?.string)
        case "message_delta": return Self.usage(said["usage"]) + Self.ending(said["delta"]?["stop_reason"]?.string)
        case "message_stop": return [.end]
        case "error":
            let kind = said["error"].map { ProviderFailure($0).kind }
            return [.failure(.refused(status: 200, retryAfter: nil, message: kind ?? "error"))]
        default: return []
        }
    }

    func read(whole document: [UInt8]) -> [CompletionEvent] {
        guard let message = try? JSONReader.read(document), let blocks = message["content"]?.array else {
            return [.failure(.malformed(reason: "the answer is no message"))]
        }
        let text = Self.text(blocks.compactMap { $0["text"]?.string }.joined())
        return text + Self.usage(message["usage"]) + Self.ending(message["stop_reason"]?.string) + [.end]
    }

    /// The system text; nil when it is empty, because the API refuses an empty one.
    private static func system(_ prompt: Prompt) -> String? {
        let texts = prompt.messages.filter { $0.role == .system }.map(\.text)
        return texts.isEmpty ? nil : texts.joined(separator: "\n\n")
    }

    /// The stop sequences; nil when there are none.
    ///
    /// The API refuses an empty list and sequences of white space.
    private static func stopSequences(_ prompt: Prompt) -> [String]? {
        let written = prompt.stop.filter { $0.contains { !$0.isWhitespace } }
        return written.isEmpty ? nil : written
    }

    private static func ending(_ reason: String?) -> [CompletionEvent] {
        switch reason {
        case nil: []
        case "refusal": [.failure(.refused(status: 200, retryAfter: nil, message: "refusal"))]
        case "max_tokens": [.tokenLimit]
        default: [.finished]
        }
    }

    private static func text(_ text: String?) -> [CompletionEvent] {
        guard let text, !text.isEmpty else { return [] }
        return [.text(text)]
    }

    private static func usage(_ usage: JSONValue?) -> [CompletionEvent] {
        guard let usage, !usage.isNull else { return [] }
        return [.usage(promptTokens: promptTokens(usage), completionTokens: usage["output_tokens"]?.integer)]
    }

    /// The number of prompt tokens, cached or not.
    private static func promptTokens(_ usage: JSONValue?) -> Int? {
        guard let usage, let fresh = usage["input_tokens"]?.integer else { return nil }
        let cached = ["cache_creation_input_tokens", "cache_read_input_tokens"].compactMap { usage[$0]?.integer }
        return cached.reduce(fresh, +)
    }

    /// The messages after the system text; neighbours of one role are joined, because roles must alternate.
    private static func turns(_ prompt: Prompt) -> [JSONValue] {
        var turns: [(role: String, text: String)] = []
        for message in prompt.messages where message.role != .system {
            if let last = turns.last, last.role == message.role.rawValue {
                turns[turns.count - 1].text = last.text + "\n\n" + message.text
            } else {
                turns.append((message.role.rawValue, message.text))
            }
        }
        return turns.map { ["role": .string($0.role), "content": .string($0.text)] }
    }
}
