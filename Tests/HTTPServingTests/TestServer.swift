import Foundation
import HTTPServing
import Runtime
import Synchronization
import TestSupport

/// A server on a free port, for the length of a test.
struct TestServer: Sendable {
    let server: HTTPServer
    let metrics: Metrics
    let answered: Answered

    var port: Int { server.port }

    /// Starts a server, runs the test against it and drains it.
    static func run(
        limits: HTTPLimits = HTTPLimits(),
        loops count: Int = 1,
        routes addRoutes: (inout Router) -> Void = { _ in },
        _ body: (TestServer) async throws -> Void
    ) async throws {
        let loops = EventLoopGroup(count: count)
        defer { loops.stop() }
        var router = Router()
        addEcho(to: &router)
        addRoutes(&router)
        let (metrics, answered) = (Metrics(), Answered())
        let server = HTTPServer(
            router: router,
            loops: loops,
            port: 0,
            limits: limits,
            metrics: metrics,
            errorResponse: { failure, request in Self.error(failure, request) },
            observer: { answered.append($0) }
        )
        try await server.start()
        do {
            try await body(TestServer(server: server, metrics: metrics, answered: answered))
        } catch {
            await server.drain(by: Deadline(after: .milliseconds(100)))
            throw error
        }
        await server.drain(by: Deadline(after: .seconds(2)))
    }

    func connect(receiveBuffer: Int32? = nil) throws -> RawConnection {
        try RawConnection(port: port, receiveBuffer: receiveBuffer)
    }

    /// Sends bytes on a connection of their own and returns the one response.
    func answer(to text: String, toHead: Bool = false) async throws -> RawResponse {
        let client = try connect()
        try await client.send(text)
        return try await client.response(toHead: toHead)
    }

    /// True if a request on a new connection is answered, as it is by a server in good health.
    func isAlive() async throws -> Bool {
        try await answer(to: "GET /echo HTTP/1.1\r\nHost: a\r\n\r\n").status == 200
    }

    /// Waits until a metric's line reads so, as other threads bring it about.
    func waitForMetric(_ line: String) async throws {
        let deadline = Deadline(after: .seconds(40))
        while !metrics.exposition.split(separator: "\n").contains(Substring(line)) {
            guard !deadline.hasPassed() else { throw MetricNeverSeen(line: line, last: metrics.exposition) }
            try await Task.sleep(for: .milliseconds(2))
        }
    }

    /// The routes that most tests use: they answer with what they were asked, one field to a line.
    private static func addEcho(to router: inout Router) {
        let echo: Router.Handler = { request in
            let query = request.query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
            let body = String(decoding: request.body, as: UTF8.self)
            let text = "\(request.method.rawValue) \(request.path) [\(query)] \(body)"
            return HTTPResponse(
                status: 200,
                headers: HeaderFields(["Content-Type": "text/plain"]),
                body: .bytes([UInt8](text.utf8))
            )
        }
        for method in [HTTPMethod.get, .post, .put, .patch, .delete, .options] { router.add(method, "/echo", echo) }
        router.add(.get, "/echo/{rest}", echo)
        router.add(.get, "/only-get", echo)
        router.add(.post, "/small", bodyLimit: 10, echo)
        router.add(.post, "/large", bodyLimit: 1 << 20, echo)
        router.add(.get, "/headers") { request in
            let lines = request.headers.all.map { "\($0.name): \($0.value)\n" }.joined()
            return HTTPResponse(status: 200, body: .bytes([UInt8](lines.utf8)))
        }
    }

    private static func error(_ failure: HTTPFailure, _ request: RejectedRequest) -> HTTPResponse {
        let text = "\(failure.name) \(request.method) \(request.path) \(request.headers["X-Request-Id"] ?? "-")"
        return HTTPResponse(
            status: failure.status,
            headers: HeaderFields(["X-Ours": "yes"]),
            body: .bytes([UInt8](text.utf8))
        )
    }
}

/// A metric did not get the value that a test waited for.
struct MetricNeverSeen: Error {
    let line: String
    let last: String
}

/// Notifications to the observer.
final class Answered: Sendable {
    private let requests = Mutex<[CompletedRequest]>([])

    var all: [CompletedRequest] { requests.withLock { $0 } }

    func append(_ request: CompletedRequest) {
        requests.withLock { $0.append(request) }
    }
}

/// A handler that waits until the test lets it answer, and tells how its wait ended.
struct HeldHandler: Sendable {
    enum Ending: Sendable { case released, cancelled }

    private let started = OneShot<Void>()
    private let released = OneShot<Ending>()
    private let ended = OneShot<Ending>()

    func answer(_ request: HTTPRequest) async -> HTTPResponse {
        await wait()
        return HTTPResponse(status: 200, body: .bytes([UInt8]("held".utf8)))
    }

    func wait() async {
        started.settle(())
        ended.settle(await released.value(ifCancelled: .cancelled))
    }

    /// Waits until a request has reached the handler.
    func hasStarted() async { await started.value(ifCancelled: ()) }

    func release() { released.settle(.released) }

    /// Waits until the handler's wait is over.
    func ending() async -> Ending { await ended.value(ifCancelled: .cancelled) }
}

/// A number that many threads count up.
final class Tally: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .relaxed) }

    func increase() { count.add(1, ordering: .relaxed) }
}
