import Conversation
import Foundation

/// Chat completions as OpenAI's API defines them, which llama.cpp, vLLM, Ollama and most hosts speak as well.
struct OpenAIDialect: ModelDialect {
    let path = "/chat/completions"
    /// Whether the account of tokens is asked for at the end of the stream; a few old hosts refuse to be.
    let asksForUsage: Bool
    /// Whether the host is OpenAI's own, which calls the limit on tokens otherwise than those that followed it.
    let isOpenAI: Bool

    func headers(key: String?) -> [(String, String)] {
        key.map { [("Authorization", "Bearer \($0)")] } ?? []
    }

    func body(_ prompt: Prompt, model: String) -> [UInt8] {
        let request = Request(
            model: model,
            messages: prompt.messages.map { .init(role: $0.role.rawValue, content: $0.text) },
            max_tokens: isOpenAI ? nil : prompt.maximumTokens,
            max_completion_tokens: isOpenAI ? prompt.maximumTokens : nil,
            temperature: prompt.temperature,
            stop: prompt.stop.isEmpty ? nil : prompt.stop,
            stream: true,
            stream_options: asksForUsage ? .init(include_usage: true) : nil
        )
        return (try? JSONEncoder().encode(request)).map(Array.init) ?? []
    }

    func read(_ event: ServerSentEvents.Event) -> [StreamReading] {
        if event.data == Array("[DONE]".utf8) { return [.end] }
        return read(document: event.data) { $0.delta?.content }
    }

    func read(whole document: [UInt8]) -> [StreamReading] {
        read(document: document) { $0.message?.content } + [.end]
    }

    private func read(document: [UInt8], _ content: (Answer.Choice) -> String?) -> [StreamReading] {
        guard let answer = try? JSONDecoder().decode(Answer.self, from: Data(document)) else {
            return [.failure(.malformed(reason: "an event is no chat completion"))]
        }
        if let error = answer.error {
            return [.failure(.refused(status: 200, retryAfter: nil, message: error.kind))]
        }
        var readings: [StreamReading] = []
        if let text = answer.choices?.first.flatMap(content), !text.isEmpty { readings.append(.text(text)) }
        if let usage = answer.usage {
            readings.append(.usage(promptTokens: usage.prompt_tokens, completionTokens: usage.completion_tokens))
        }
        switch answer.choices?.first?.finish_reason {
        case nil: break
        case "content_filter":
            readings.append(.failure(.refused(status: 200, retryAfter: nil, message: "content_filter")))
        default: readings.append(.finished)
        }
        return readings
    }

    private struct Request: Encodable {
        struct Message: Encodable {
            let role: String
            let content: String
        }

        struct StreamOptions: Encodable {
            let include_usage: Bool
        }

        let model: String
        let messages: [Message]
        let max_tokens: Int?
        let max_completion_tokens: Int?
        let temperature: Double
        let stop: [String]?
        let stream: Bool
        let stream_options: StreamOptions?
    }

    private struct Answer: Decodable {
        struct Text: Decodable {
            let content: String?
        }

        struct Choice: Decodable {
            let delta: Text?
            let message: Text?
            let finish_reason: String?
        }

        struct Usage: Decodable {
            let prompt_tokens: Int?
            let completion_tokens: Int?
        }

        let choices: [Choice]?
        let usage: Usage?
        let error: ProviderFailure?
    }
}
