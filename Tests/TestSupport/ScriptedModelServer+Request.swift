import Foundation
package import Runtime

extension ScriptedModelServer {
    /// A request that the server received, and what was wrong with it.
    package struct Request: Sendable {
        /// Protocol of the request, by its path.
        package enum Dialect: Sendable { case openAI, anthropic, unknown }

        /// The protocol.
        package let dialect: Dialect
        /// The header fields.
        package let headers: HeaderFields
        /// The body's JSON; null when it has none or is no JSON.
        package let json: JSON
        /// Reason for which the real provider would refuse it; nil when it is well made.
        package let violation: String?
        /// Number of its connection at the server, from 1.
        package let connection: Int
        /// Time of arrival.
        package let arrived = Instant.now
        /// Answer of the server to a malformed request.
        let refusal: Script?

        init(_ message: ScriptedModelServerMessage, connection: Int, key: String?) {
            self.connection = connection
            headers = message.headers
            json = JSON(message.body)
            dialect =
                switch message.path {
                case "/v1/chat/completions": .openAI
                case "/v1/messages": .anthropic
                default: .unknown
                }
            let rules = Rules(message, json, key: key)
            violation = rules.violation(dialect)
            refusal = rules.refusal(dialect)
        }

        /// The model that is asked for.
        package var model: String { json["model"]?.text ?? "" }
        /// True if the reply is to stream.
        package var isStreaming: Bool { json["stream"] == .bool(true) }
        /// The most tokens of the reply.
        package var maximumTokens: Int? {
            (json["max_tokens"] ?? json["max_completion_tokens"])?.number.map { Int($0) }
        }
        /// The system text; Anthropic's protocol has it apart from the messages.
        package var systemText: String {
            json["system"]?.text ?? messages.filter { $0.role == "system" }.map(\.text).joined(separator: "\n")
        }
        /// Text of the last message.
        package var lastUserText: String { messages.last { $0.role == "user" }?.text ?? "" }
        /// The messages in order.
        package var messages: [(role: String, text: String)] {
            (json["messages"]?.array ?? []).map { ($0["role"]?.text ?? "", $0["content"]?.text ?? "") }
        }
    }

    /// A JSON value.
    package enum JSON: Sendable, Equatable, Decodable {
        case null
        case bool(Bool)
        case number(Double)
        case string(String)
        case list([JSON])
        case object([String: JSON])

        /// Reads a document; null when it is none.
        init(_ document: [UInt8]) {
            self = (try? JSONDecoder().decode(JSON.self, from: Data(document))) ?? .null
        }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let value = try? container.decode(String.self) {
                self = .string(value)
            } else if let value = try? container.decode([String: JSON].self) {
                self = .object(value)
            } else if let value = try? container.decode([JSON].self) {
                self = .list(value)
            } else if let value = try? container.decode(Bool.self) {
                self = .bool(value)
            } else if let value = try? container.decode(Double.self) {
                self = .number(value)
            } else {
                self = .null
            }
        }

        /// A member of an object.
        package subscript(_ name: String) -> JSON? {
            if case .object(let members) = self { members[name] } else { nil }
        }

        /// The elements of a list.
        package var array: [JSON]? { if case .list(let elements) = self { elements } else { nil } }
        /// The text of a string, or of a list of text blocks.
        package var text: String? {
            switch self {
            case .string(let text): text
            case .list(let blocks): blocks.compactMap { $0["text"]?.text }.joined(separator: "\n")
            default: nil
            }
        }
        /// The number.
        package var number: Double? { if case .number(let number) = self { number } else { nil } }
    }
}
