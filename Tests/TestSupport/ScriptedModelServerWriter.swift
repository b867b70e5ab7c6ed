import Runtime

/// Puts the steps of a script into the bytes of a protocol.
struct ScriptedModelServerWriter {
    private let dialect: ScriptedModelServer.Request.Dialect
    private let isStreaming: Bool
    private let includesUsage: Bool
    private let model: String
    private let promptTokens: Int
    private var pieces: [String] = []

    init(_ request: ScriptedModelServer.Request) {
        dialect = request.dialect
        isStreaming = request.isStreaming
        includesUsage = request.json["stream_options"]?["include_usage"] == .bool(true)
        model = request.model
        promptTokens = request.messages.reduce(0) { $0 + $1.text.utf8.count / 4 + 4 }
    }

    /// The bytes of a step; none for one that sends nothing.
    mutating func bytes(of step: ScriptedModelServer.Script.Step) -> [UInt8] {
        switch step {
        case .begin: return isStreaming ? Array((Self.head + framed(opening)).utf8) : []
        case .text(let piece):
            pieces.append(piece)
            return isStreaming ? Array(framed(delta(piece)).utf8) : []
        case .end(let reason):
            return Array((isStreaming ? framed(closing(reason)) + "0\r\n\r\n" : document(reason)).utf8)
        case .endBody: return Array((isStreaming ? "0\r\n\r\n" : document("stop")).utf8)
        case .raw(let text): return Array(framed(text).utf8)
        case .failure(let type): return Array(framed(failure(type)).utf8)
        case .bytes(let bytes): return bytes
        case .answer(let status, let headers, let body): return Self.answer(status, headers, body)
        case .pause, .gate, .stall, .repeatedly, .close, .reset: return []
        }
    }

    private static let head =
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\nTransfer-Encoding: chunked\r\n\r\n"

    private func framed(_ text: String) -> String {
        text.isEmpty ? "" : "\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n"
    }

    private static func answer(_ status: Int, _ headers: KeyValuePairs<String, String>, _ body: String) -> [UInt8] {
        let fields = headers.map { "\($0): \($1)\r\n" }.joined()
        return Array("HTTP/1.1 \(status) Scripted\r\n\(fields)Content-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
    }

    private static func quoted(_ text: String) -> String {
        var quoted = ""
        quoted.appendJSONString(text)
        return quoted
    }

    // MARK: Frames

    private var opening: String {
        guard dialect == .openAI else {
            return event(
                "message_start",
                #""message":{"id":"msg_1","type":"message","role":"assistant","model":\#(Self.quoted(model)),"#
                    + #""content":[],"stop_reason":null,"stop_sequence":null,"#
                    + #""usage":{"input_tokens":\#(promptTokens),"output_tokens":1}}"#
            ) + event("content_block_start", #""index":0,"content_block":{"type":"text","text":""}"#)
                + event("ping", "")
        }
        return chunk(#"{"role":"assistant","content":""}"#, finish: nil)
    }

    private func delta(_ piece: String) -> String {
        guard dialect == .openAI else {
            let delta = #"{"type":"text_delta","text":\#(Self.quoted(piece))}"#
            return event("content_block_delta", #""index":0,"delta":\#(delta)"#)
        }
        return chunk(#"{"content":\#(Self.quoted(piece))}"#, finish: nil)
    }

    private func closing(_ reason: String) -> String {
        guard dialect == .openAI else {
            let delta = #"{"stop_reason":"\#(Self.anthropicReason(reason))","stop_sequence":null}"#
            return event("content_block_stop", #""index":0"#)
                + event("message_delta", #""delta":\#(delta),"usage":{"output_tokens":\#(pieces.count)}"#)
                + event("message_stop", "")
        }
        let usage = includesUsage ? "data: {\(shared("chunk")),\"choices\":[],\"usage\":\(usage)}\n\n" : ""
        return chunk("{}", finish: reason) + usage + "data: [DONE]\n\n"
    }

    private func failure(_ type: String) -> String {
        let error = #""error":{"type":"\#(type)","message":"scripted: the prompt was …"}"#
        return dialect == .openAI ? "data: {\(error)}\n\n" : event("error", error)
    }

    private func chunk(_ delta: String, finish: String?) -> String {
        let reason = finish.map(Self.quoted) ?? "null"
        let usage = includesUsage ? #","usage":null"# : ""
        let choice = #"{"index":0,"delta":\#(delta),"logprobs":null,"finish_reason":\#(reason)}"#
        return "data: {\(shared("chunk")),\"choices\":[\(choice)]\(usage)}\n\n"
    }

    private func event(_ type: String, _ members: String) -> String {
        "event: \(type)\ndata: {\"type\":\"\(type)\"\(members.isEmpty ? "" : "," + members)}\n\n"
    }

    private var usage: String {
        let total = promptTokens + pieces.count
        let counts = #""prompt_tokens":\#(promptTokens),"completion_tokens":\#(pieces.count)"#
        return "{\(counts),\"total_tokens\":\(total)}"
    }

    private func shared(_ kind: String) -> String {
        let object = kind.isEmpty ? "chat.completion" : "chat.completion.\(kind)"
        return #""id":"chatcmpl-1","object":"\#(object)","created":1783000000,"model":\#(Self.quoted(model))"#
    }

    private static func anthropicReason(_ reason: String) -> String {
        switch reason {
        case "stop": "end_turn"
        case "length": "max_tokens"
        case "content_filter": "refusal"
        default: reason
        }
    }

    // MARK: Answers that do not stream

    private func document(_ reason: String) -> String {
        let text = Self.quoted(pieces.joined())
        let body =
            dialect == .openAI
            ? "{\(shared("")),\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":\(text)},"
                + "\"finish_reason\":\"\(reason)\"}],\"usage\":\(usage)}"
            : #"{"id":"msg_1","type":"message","role":"assistant","model":\#(Self.quoted(model)),"#
                + #""content":[{"type":"text","text":\#(text)}],"#
                + #""stop_reason":"\#(Self.anthropicReason(reason))","stop_sequence":null,"#
                + #""usage":{"input_tokens":\#(promptTokens),"output_tokens":\#(pieces.count)}}"#
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
        return head + body
    }
}
