import Runtime

extension ScriptedModelServer {
    /// Demands of the providers on a request; sources: OpenAI's and Anthropic's API references, July 2026.
    struct Rules {
        private let message: ScriptedModelServerMessage
        private let json: JSON
        private let key: String?

        init(_ message: ScriptedModelServerMessage, _ json: JSON, key: String?) {
            self.message = message
            self.json = json
            self.key = key
        }

        /// Reason for which the provider would refuse the request, in words; nil when it would not.
        func violation(_ dialect: Request.Dialect) -> String? {
            switch dialect {
            case .unknown: "nothing is at \(message.method) \(message.path)"
            case .openAI: common ?? openAI
            case .anthropic: common ?? anthropic
            }
        }

        /// The answer to a request that is not as it should be.
        func refusal(_ dialect: Request.Dialect) -> Script? {
            if dialect == .unknown { return .status(404, type: "not_found_error") }
            if message.method == "POST", let key, key != givenKey(dialect) {
                return .status(401, type: "authentication_error")
            }
            return violation(dialect) == nil ? nil : .status(400, type: "invalid_request_error")
        }

        private func givenKey(_ dialect: Request.Dialect) -> String? {
            guard dialect == .openAI else { return message.headers["x-api-key"] }
            guard let value = message.headers["Authorization"], value.hasPrefix("Bearer ") else { return nil }
            return String(value.dropFirst(7))
        }

        private var common: String? {
            guard message.method == "POST" else { return "the method is \(message.method)" }
            guard message.headers["Content-Type"]?.hasPrefix("application/json") == true else {
                return "the content type is not application/json"
            }
            guard case .object = json else { return "the body is not a JSON object" }
            guard let model = json["model"]?.text, !model.isEmpty else { return "model is missing" }
            guard let messages = json["messages"]?.array, !messages.isEmpty else { return "messages are missing" }
            return kind("stream", isBool) ?? kind("top_p", isNumber(0...1))
        }

        // MARK: OpenAI

        private static let openAIMembers: Set = [
            "model", "messages", "max_tokens", "max_completion_tokens", "temperature", "top_p", "n", "stop",
            "stream", "stream_options", "frequency_penalty", "presence_penalty", "seed", "user", "response_format",
            "tools", "tool_choice", "logprobs", "top_logprobs", "logit_bias", "metadata", "store", "service_tier",
            "reasoning_effort", "prompt_cache_key", "safety_identifier",
        ]
        private static let openAIRoles: Set = ["system", "developer", "user", "assistant", "tool"]

        private var openAI: String? {
            unknownMember(Self.openAIMembers)
                ?? kind("max_tokens", isWhole(from: 1)) ?? kind("max_completion_tokens", isWhole(from: 1))
                ?? kind("temperature", isNumber(0...2)) ?? kind("stop", isStop) ?? streamOptions
                ?? firstProblem { index, message in
                    guard let role = message["role"]?.text, Self.openAIRoles.contains(role) else {
                        return "messages[\(index)] has no role"
                    }
                    return message["content"]?.text == nil ? "messages[\(index)] has no content" : nil
                }
        }

        private var streamOptions: String? {
            guard let options = json["stream_options"], options != .null else { return nil }
            guard json["stream"] == .bool(true) else { return "stream_options without stream" }
            guard case .object(let members) = options else { return "stream_options is not an object" }
            return members.keys.first { $0 != "include_usage" }.map { "stream_options has \($0)" }
        }

        private func isStop(_ value: JSON) -> Bool {
            if case .string = value { return true }
            guard let array = value.array, (1...4).contains(array.count) else { return false }
            return array.allSatisfy { if case .string(let text) = $0 { !text.isEmpty } else { false } }
        }

        // MARK: Anthropic

        private static let anthropicMembers: Set = [
            "model", "messages", "max_tokens", "system", "temperature", "top_p", "top_k", "stop_sequences", "stream",
            "metadata", "tools", "tool_choice", "thinking", "service_tier", "container", "mcp_servers",
        ]

        private var anthropic: String? {
            guard message.headers["anthropic-version"] == "2023-06-01" else { return "anthropic-version is missing" }
            guard message.headers["x-api-key"]?.isEmpty == false else { return "x-api-key is missing" }
            guard json["max_tokens"] != nil else { return "max_tokens is missing" }
            return unknownMember(Self.anthropicMembers) ?? kind("max_tokens", isWhole(from: 1))
                ?? kind("temperature", isNumber(0...1)) ?? kind("stop_sequences", isStopSequences)
                ?? kind("system", isWritten) ?? firstProblem(anthropicProblem) ?? lastProblem
        }

        private func anthropicProblem(_ index: Int, _ message: JSON) -> String? {
            guard let role = message["role"]?.text, role == "user" || role == "assistant" else {
                return "messages[\(index)] has a role that is neither user nor assistant"
            }
            guard index > 0 || role == "user" else { return "the first message is not the user's" }
            guard let content = message["content"], isWritten(content) else { return "messages[\(index)] is empty" }
            return nil
        }

        private var lastProblem: String? {
            guard let last = json["messages"]?.array?.last, last["role"]?.text == "assistant" else { return nil }
            return last["content"]?.text?.last?.isWhitespace == true ? "the last message ends in white space" : nil
        }

        private func isStopSequences(_ value: JSON) -> Bool {
            guard let array = value.array else { return false }
            return array.allSatisfy { $0.text?.contains { !$0.isWhitespace } == true }
        }

        // MARK: Kinds of value

        private func unknownMember(_ known: Set<String>) -> String? {
            guard case .object(let members) = json else { return nil }
            return members.keys.sorted().first { !known.contains($0) }.map { "\($0) is not known" }
        }

        private func kind(_ name: String, _ holds: (JSON) -> Bool) -> String? {
            guard let value = json[name], value != .null else { return nil }
            return holds(value) ? nil : "\(name) has a value that it cannot have"
        }

        private func firstProblem(_ problem: (Int, JSON) -> String?) -> String? {
            for (index, message) in (json["messages"]?.array ?? []).enumerated() {
                if let problem = problem(index, message) { return problem }
            }
            return nil
        }

        private func isBool(_ value: JSON) -> Bool { if case .bool = value { true } else { false } }

        private func isWritten(_ value: JSON) -> Bool { value.text?.contains { !$0.isWhitespace } == true }

        private func isNumber(_ range: ClosedRange<Double>) -> (JSON) -> Bool {
            { $0.number.map { range.contains($0) } ?? false }
        }

        private func isWhole(from least: Double) -> (JSON) -> Bool {
            { $0.number.map { $0 >= least && $0.rounded() == $0 } ?? false }
        }
    }
}
