import Bench
import Foundation
import HTTPServing
import Runtime

/// The stub model as a program: serves until a signal comes.
struct StubProcess: Sendable {
    private let port: Int
    private let stub: ModelStub

    init(_ arguments: [String]) {
        func value(_ name: String, _ standard: Int) -> Int {
            guard let index = arguments.firstIndex(of: name), index + 1 < arguments.count else { return standard }
            return Int(arguments[index + 1]) ?? standard
        }
        port = value("--port", 9000)
        var settings = ModelStub.Settings()
        settings.firstPiece = .milliseconds(value("--delay-ms", 300))
        settings.pause = .milliseconds(value("--pause-ms", 0))
        settings.pieces = max(1, value("--pieces", 8))
        settings.stallPercent = value("--stall-percent", 0)
        let least = value("--stall-least-ms", 1_000)
        settings.stall = .milliseconds(least) ... .milliseconds(max(least, value("--stall-most-ms", 6_000)))
        settings.failPercent = value("--fail-percent", 0)
        settings.cutPercent = value("--cut-percent", 0)
        settings.isVaried = arguments.contains("--varied")
        stub = ModelStub(settings)
    }

    func serve() async throws {
        let loops = EventLoopGroup(count: 1)
        let signals = ShutdownSignals(on: loops.loops[0])
        let server = stub.server(on: loops, port: port)
        try await server.start()
        FileHandle.standardOutput.write(Data("listening http://127.0.0.1:\(server.port)\n".utf8))
        _ = await signals.first()
        await server.drain(by: Deadline(after: .seconds(2)))
        loops.stop()
    }
}
