import HTTPClient
import Runtime
import TestSupport
import Testing

/// Checks that the scripted provider refuses what the real ones would, so that a test against it means something.
@Suite(.timeLimit(.minutes(2)))
struct ScriptedModelServerTests {
    @Test(
        arguments: [
            (#"{"model":"m","messages":[{"role":"user","content":"a"}]}"#, nil),
            (#"{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"a"}]}],"stream":true}"#, nil),
            (
                #"{"model":"m","messages":[{"role":"user","content":"a"}],"stream":true,"#
                    + #""stream_options":{"include_usage":true},"max_tokens":1,"temperature":2,"stop":["a"]}"#, nil
            ),
            (#"{"messages":[{"role":"user","content":"a"}]}"#, "model is missing"),
            (#"{"model":"","messages":[{"role":"user","content":"a"}]}"#, "model is missing"),
            (#"{"model":"m","messages":[]}"#, "messages are missing"),
            (#"{"model":"m"}"#, "messages are missing"),
            (#"{"model":"m","messages":[{"content":"a"}]}"#, "messages[0] has no role"),
            (#"{"model":"m","messages":[{"role":"patient","content":"a"}]}"#, "messages[0] has no role"),
            (#"{"model":"m","messages":[{"role":"user","content":null}]}"#, "messages[0] has no content"),
            (valid(#""max_tokens":0"#), "max_tokens has a value that it cannot have"),
            (valid(#""max_tokens":1.5"#), "max_tokens has a value that it cannot have"),
            (valid(#""max_tokens":"9""#), "max_tokens has a value that it cannot have"),
            (valid(#""temperature":2.1"#), "temperature has a value that it cannot have"),
            (valid(#""stream":"yes""#), "stream has a value that it cannot have"),
            (valid(#""stop":[]"#), "stop has a value that it cannot have"),
            (valid(#""stop":["a","b","c","d","e"]"#), "stop has a value that it cannot have"),
            (valid(#""stream_options":{"include_usage":true}"#), "stream_options without stream"),
            (valid(#""maximum_tokens":5"#), "maximum_tokens is not known"),
            ("{", "the body is not a JSON object"),
            ("[]", "the body is not a JSON object"),
            ("", "the body is not a JSON object"),
        ] as [(String, String?)]
    )
    func `OpenAI's rules are held`(body: String, violation: String?) async throws {
        let (status, request) = try await post(body, to: "/v1/chat/completions", ["Authorization": "Bearer k"])
        #expect(request?.violation == violation)
        #expect(status == (violation == nil ? 200 : 400))
    }

    @Test(
        arguments: [
            (#"{"model":"m","max_tokens":5,"messages":[{"role":"user","content":"a"}]}"#, nil),
            (anthropic(#""system":"s","stop_sequences":["a"],"temperature":1"#), nil),
            (#"{"model":"m","messages":[{"role":"user","content":"a"}]}"#, "max_tokens is missing"),
            (anthropic(#""temperature":1.5"#), "temperature has a value that it cannot have"),
            (anthropic(#""stop_sequences":["\n"]"#), "stop_sequences has a value that it cannot have"),
            (anthropic(#""system":"""#), "system has a value that it cannot have"),
            (anthropic(#""stop":["a"]"#), "stop is not known"),
            (
                #"{"model":"m","max_tokens":5,"messages":[{"role":"system","content":"a"}]}"#,
                "messages[0] has a role that is neither user nor assistant"
            ),
            (
                #"{"model":"m","max_tokens":5,"messages":[{"role":"assistant","content":"a"}]}"#,
                "the first message is not the user's"
            ),
            (#"{"model":"m","max_tokens":5,"messages":[{"role":"user","content":" "}]}"#, "messages[0] is empty"),
            (
                #"{"model":"m","max_tokens":5,"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b "}]}"#,
                "the last message ends in white space"
            ),
        ] as [(String, String?)]
    )
    func `Anthropic's rules are held`(body: String, violation: String?) async throws {
        let headers: KeyValuePairs = ["x-api-key": "k", "anthropic-version": "2023-06-01"]
        let (status, request) = try await post(body, to: "/v1/messages", headers)
        #expect(request?.violation == violation)
        #expect(status == (violation == nil ? 200 : 400))
    }

    @Test(
        arguments: [
            ("/v1/messages", ["x-api-key": "k"], 400, "anthropic-version is missing"),
            ("/v1/messages", ["anthropic-version": "2023-06-01"], 400, "x-api-key is missing"),
            ("/v1/other", ["x-api-key": "k"], 404, "nothing is at POST /v1/other"),
        ] as [(String, KeyValuePairs<String, String>, Int, String)]
    )
    func `a request to the wrong place or without its version is refused`(
        path: String,
        headers: KeyValuePairs<String, String>,
        expected: Int,
        violation: String
    ) async throws {
        let (status, request) = try await post(anthropic(#""top_k":5"#), to: path, headers)
        #expect(status == expected)
        #expect(request?.violation == violation)
    }

    @Test func `a reply that is not to stream is one document`() async throws {
        for (path, headers, body) in [
            ("/v1/chat/completions", [:], valid(#""n":1"#)),
            ("/v1/messages", ["x-api-key": "k", "anthropic-version": "2023-06-01"], anthropic(#""top_k":5"#)),
        ] as [(String, KeyValuePairs<String, String>, String)] {
            let server = ScriptedModelServer { _ in .reply("Good \"day\".") }
            defer { server.stop() }
            let response = try await send(body, to: server, path, headers)
            #expect(response.headers["content-type"] == "application/json")
            #expect(response.text.contains(#""Good \"day\".""#))
        }
    }

    private func post(
        _ body: String,
        to path: String,
        _ headers: KeyValuePairs<String, String>
    ) async throws -> (Int, ScriptedModelServer.Request?) {
        let server = ScriptedModelServer()
        defer { server.stop() }
        let response = try await send(body, to: server, path, headers)
        return (response.status, server.requests.first)
    }

    private func send(
        _ body: String,
        to server: ScriptedModelServer,
        _ path: String,
        _ headers: KeyValuePairs<String, String>
    ) async throws -> (status: Int, headers: HeaderFields, text: String) {
        let loops = EventLoopGroup(count: 1)
        let client = HTTPClient(on: loops)
        var request = OutgoingRequest(.post, server.anthropicURL + path, body: Array(body.utf8))
        request.headers["Content-Type"] = "application/json"
        for (name, value) in headers { request.headers[name] = value }
        let response = try await client.send(request, by: Deadline(after: .seconds(40)))
        let text = String(decoding: try await response.collect(upTo: 1 << 20), as: UTF8.self)
        await client.drain(by: Deadline(after: .zero))
        loops.stop()
        return (response.status, response.headers, text)
    }
}

private func valid(_ member: String) -> String {
    #"{"model":"m","messages":[{"role":"user","content":"a"}],\#(member)}"#
}

private func anthropic(_ member: String) -> String {
    #"{"model":"m","max_tokens":5,"messages":[{"role":"user","content":"a"}],\#(member)}"#
}
