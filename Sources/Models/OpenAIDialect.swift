import Conversation
import Foundation

/// Chat completions as OpenAI's API defines them, which llama.cpp, vLLM, Ollama and most hosts speak as well.
struct OpenAIDialect: ModelDialect {
    let path = "/chat/completions"

    func headers(key: String?) -> [(String, String)] {
        key.map { [("Authorization", "Bearer \($0)")] } ?? []
    }

    func body(_ prompt: Prompt, model: String) -> [UInt8] {
        let request = Request(
            model: model,
            messages: prompt.messages.map { .init(role: $0.role.rawValue, content: $0.text) },
            max_tokens: prompt.maximumTokens,
            temperature: prompt.temperature,
            stop: prompt.stop.isEmpty ? nil : prompt.stop,
            stream: true,
            stream_options: .init(include_usage: true)
        )
        return (try? JSONEncoder().encode(request)).map(Array.init) ?? []
    }

    func read(_ event: ServerSentEvents.Event) -> [StreamReading] {
        if event.data == Array("[DONE]".utf8) { return [.end] }
        return read(document: event.data) { $0.delta?.content }
    }

    func read(whole document: [UInt8]) -> [StreamReading] {
        let readings = read(document: document) { $0.message?.content }
        if readings.contains(where: \.isFailure) { return readings }
        return readings + [.end]
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
        if answer.choices?.first?.finish_reason == "content_filter" {
            readings.append(.failure(.refused(status: 200, retryAfter: nil, message: "content_filter")))
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
        let max_tokens: Int
        let temperature: Double
        let stop: [String]?
        let stream: Bool
        let stream_options: StreamOptions
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

        struct Failure: Decodable {
            let type: String?
            let code: Code?

            /// A word that names the failure; the provider's own message may quote the prompt, so it is not kept.
            var kind: String { type ?? code?.text ?? "error" }
        }

        /// Some hosts give a number where OpenAI gives a word.
        enum Code: Decodable {
            case word(String)
            case number(Int)

            var text: String {
                switch self {
                case .word(let word): word
                case .number(let number): String(number)
                }
            }

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                if let number = try? container.decode(Int.self) {
                    self = .number(number)
                } else {
                    self = .word(try container.decode(String.self))
                }
            }
        }

        let choices: [Choice]?
        let usage: Usage?
        let error: Failure?
    }
}

extension StreamReading {
    /// Whether the provider gave up.
    var isFailure: Bool {
        if case .failure = self { true } else { false }
    }
}
