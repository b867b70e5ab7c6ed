import Foundation
import HTTPServing
import Runtime

/// An OpenAI-compatible chat completion that streams a fixed reply after a delay; some of its replies stall before that.
struct ModelStub: Sendable {
    private let port: Int
    private let delay: Duration
    private let pieces: Int
    private let stallPercent: Int
    private let stall: ClosedRange<Int>

    init(_ arguments: [String]) {
        func value(_ name: String, _ standard: Int) -> Int {
            guard let index = arguments.firstIndex(of: name), index + 1 < arguments.count else { return standard }
            return Int(arguments[index + 1]) ?? standard
        }
        port = value("--port", 9000)
        delay = .milliseconds(value("--delay-ms", 300))
        pieces = max(1, value("--pieces", 8))
        stallPercent = value("--stall-percent", 0)
        let least = value("--stall-least-ms", 1_000)
        stall = least...max(least, value("--stall-most-ms", 6_000))
    }

    /// Serves until a signal comes.
    func serve() async throws {
        let loops = EventLoopGroup(count: 1)
        let signals = ShutdownSignals(on: loops.loops[0])
        var router = Router()
        router.add(.post, "/v1/chat/completions") { [self] _ in await answer() }
        let server = HTTPServer(
            router: router,
            loops: loops,
            port: port,
            metrics: Metrics(),
            errorResponse: { failure, _ in HTTPResponse(status: failure.status) }
        )
        try await server.start()
        FileHandle.standardOutput.write(Data("listening http://127.0.0.1:\(server.port)\n".utf8))
        _ = await signals.first()
        await server.drain(by: Deadline(after: .seconds(2)))
        loops.stop()
    }

    private static let words = [
        "Good", " morning,", " Rose.", " It", " is", " lovely", " to", " hear", " you", " today.",
    ]

    /// The events of a reply, one chunk each, so that a reader sees as many as from a real model.
    private func answer() async -> HTTPResponse {
        let loop = EventLoop.current
        let events = (0..<pieces).map { index in
            let word = Self.words[min(index * Self.words.count / pieces, Self.words.count - 1)]
            return Array("data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"\(word)\"}}]}\n\n".utf8)
        }
        let end = Array(
            """
            data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}

            data: {"choices":[],"usage":{"prompt_tokens":300,"completion_tokens":\(pieces)}}

            data: [DONE]


            """.utf8
        )
        let stalls = Int.random(in: 0..<100) < stallPercent
        await LoopSleep.sleep(delay + .milliseconds(stalls ? Int.random(in: stall) : 0), on: loop)
        return HTTPResponse(
            status: 200,
            headers: HeaderFields(["Content-Type": "text/event-stream"]),
            body: .stream { writer in
                for event in events { try await writer.write(event) }
                try await writer.write(end)
            }
        )
    }
}
