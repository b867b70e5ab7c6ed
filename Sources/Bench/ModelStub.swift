package import HTTPServing
package import Runtime

/// An OpenAI-compatible model that costs nothing to ask: it waits, then streams one fixed sentence; some of its replies stall,
/// fail or break off, as told.
package struct ModelStub: Sendable {
    /// How the model behaves.
    package struct Settings: Sendable {
        /// How long until the first piece.
        package var firstPiece = Duration.milliseconds(300)
        /// How long between two pieces.
        package var pause = Duration.zero
        /// In how many pieces it answers.
        package var pieces = 8
        /// How many replies in a hundred stall before the first piece, and for how long.
        package var stallPercent = 0
        package var stall = Duration.seconds(1)...Duration.seconds(6)
        /// How many in a hundred are refused with status 503.
        package var failPercent = 0
        /// How many in a hundred break off after half of their pieces.
        package var cutPercent = 0

        /// The usual model: 300 ms, eight pieces, no faults.
        package init() {}
    }

    private struct Broken: Error {}

    private static let words = [
        "Good", " morning,", " Rose.", " It", " is", " lovely", " to", " hear", " you", " today.",
    ]

    private let settings: Settings

    /// Makes a model.
    package init(_ settings: Settings) {
        self.settings = settings
    }

    /// The server of the model, which is not started yet.
    ///
    /// - Parameter port: 0 takes a free one.
    package func server(on loops: EventLoopGroup, port: Int) -> HTTPServer {
        var router = Router()
        router.add(.post, "/v1/chat/completions") { [self] _ in await answer() }
        return HTTPServer(
            router: router,
            loops: loops,
            port: port,
            metrics: Metrics(),
            errorResponse: { failure, _ in HTTPResponse(status: failure.status) }
        )
    }

    private func answer() async -> HTTPResponse {
        let chance = Int.random(in: 0..<100)
        guard chance >= settings.failPercent else { return HTTPResponse(status: 503) }
        let isCut = chance < settings.failPercent + settings.cutPercent
        await wait(settings.firstPiece + stall())
        return HTTPResponse(
            status: 200,
            headers: HeaderFields(["Content-Type": "text/event-stream"]),
            body: .stream { [self] writer in
                for piece in 0..<settings.pieces {
                    if piece > 0 { await wait(settings.pause) }
                    if isCut, piece * 2 >= settings.pieces { throw Broken() }
                    try await writer.write(event(piece))
                }
                try await writer.write(end)
            }
        )
    }

    private func stall() -> Duration {
        guard Int.random(in: 0..<100) < settings.stallPercent else { return .zero }
        let (least, most) = (settings.stall.lowerBound, settings.stall.upperBound)
        return least + (most - least) * Double.random(in: 0...1)
    }

    /// One event a chunk, so that a reader sees as many as from a real model.
    private func event(_ piece: Int) -> [UInt8] {
        let word = Self.words[min(piece * Self.words.count / settings.pieces, Self.words.count - 1)]
        return Array("data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"\(word)\"}}]}\n\n".utf8)
    }

    private var end: [UInt8] {
        Array(
            """
            data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}

            data: {"choices":[],"usage":{"prompt_tokens":300,"completion_tokens":\(settings.pieces)}}

            data: [DONE]


            """.utf8
        )
    }

    private func wait(_ duration: Duration) async {
        guard duration > .zero else { return }
        try? await SystemTime().sleep(until: .now + duration)
    }
}
