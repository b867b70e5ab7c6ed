import HTTPClient
import HTTPServing
import Runtime
import Testing

@testable import Bench

@Suite(.timeLimit(.minutes(1)))
struct ModelStubTests {
    private static let words = [
        "Good", " morning,", " Rose.", " It", " is", " lovely", " to", " hear", " you", " today.",
    ]

    @Test func `a reply that is not asked to be streamed is whole`() async throws {
        try await ask(#"{"messages":[]}"#) { response throws(TransferError) in
            #expect(response.headers["Content-Type"] == "application/json")
            let text = try await response.collect(upTo: 4096)
            let reply = try? JSONReader.read(text)
            let choice = reply?["choices"]?.array?.first
            #expect(choice?["message"]?["content"]?.string == Self.words.joined())
            #expect(choice?["finish_reason"]?.string == "stop")
            #expect(reply?["usage"]?["completion_tokens"]?.integer == 10)
        }
    }

    @Test func `a streamed reply has the same words, a piece an event`() async throws {
        try await ask(#"{"messages":[],"stream":true}"#) { response throws(TransferError) in
            #expect(response.headers["Content-Type"] == "text/event-stream")
            let lines = String(decoding: try await response.collect(upTo: 4096), as: UTF8.self).split(separator: "\n")
            let events = lines.compactMap { try? JSONReader.read(Array($0.dropFirst("data: ".count).utf8)) }
            let words = events.compactMap { $0["choices"]?.array?.first?["delta"]?["content"]?.string }
            #expect(words == Self.words)
            #expect(lines.last == "data: [DONE]")
        }
    }

    @Test(arguments: [#"{"stream":true}"#, #"{"stream":false}"#])
    func `a reply that breaks off is never taken for a whole one`(_ body: String) async throws {
        try await ask(body, cutPercent: 100) { response throws(TransferError) in
            await #expect(throws: TransferError.self) { try await response.collect(upTo: 4096) }
        }
    }

    private func ask(
        _ body: String,
        cutPercent: Int = 0,
        _ check: (IncomingResponse) async throws(TransferError) -> Void
    ) async throws {
        var settings = ModelStub.Settings()
        (settings.firstPiece, settings.pieces, settings.cutPercent) = (.zero, 10, cutPercent)
        let loops = EventLoopGroup(count: 1)
        defer { loops.stop() }
        let server = ModelStub(settings).server(on: loops, port: 0)
        try await server.start()
        let client = HTTPClient(on: loops)
        let url = "http://127.0.0.1:\(server.port)/v1/chat/completions"
        let response = try await client.send(
            OutgoingRequest(.post, url, body: Array(body.utf8)),
            by: Deadline(after: .seconds(10))
        )
        try await check(response)
        await client.drain(by: Deadline(after: .seconds(1)))
        await server.drain(by: Deadline(after: .seconds(1)))
    }
}
