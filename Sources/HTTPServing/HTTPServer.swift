import Foundation
package import Runtime
import Synchronization

/// Serves HTTP/1.1 on every loop of a group.
///
/// Each loop has its own listening socket on the same port, and keeps a connection for as long as it lives. A request is
/// therefore read, handled and answered on one thread.
package final class HTTPServer: Service {
    private enum State {
        case stopped
        case running([Acceptor], port: Int)
    }

    package let name = "http"
    private let loops: EventLoopGroup
    private let host: String
    private let wantedPort: Int
    private let serving: ServerContext
    private let state = Mutex(State.stopped)

    /// Makes a server that does not listen yet.
    ///
    /// - Parameters:
    ///   - router: Finds the handler of a request.
    ///   - loops: The loops that serve; they must outlive the server.
    ///   - host: A numeric address, or `localhost`, which is 127.0.0.1.
    ///   - port: The port; 0 takes a free one, which ``port`` returns after the start.
    ///   - limits: The server's limits.
    ///   - metrics: Counts connections, requests in progress and refusals.
    ///   - errorResponse: Makes the response to a request that the server refuses. The server adds `Allow` and a
    ///     missing `Retry-After`. A streamed body is not sent.
    ///   - observer: Called on the loop once for each response that was sent completely.
    package init(
        router: Router,
        loops: EventLoopGroup,
        host: String = "127.0.0.1",
        port: Int,
        limits: HTTPLimits = HTTPLimits(),
        metrics: Metrics,
        errorResponse: @escaping @Sendable (HTTPFailure, RejectedRequest) -> HTTPResponse,
        observer: @escaping @Sendable (CompletedRequest) -> Void = { _ in }
    ) {
        self.loops = loops
        self.host = host
        wantedPort = port
        serving = ServerContext(
            router: router,
            limits: limits,
            admission: ServerLoad(),
            metrics: ServerMetrics(metrics),
            errorResponse: errorResponse,
            observer: observer
        )
    }

    /// The port that the server listens on; 0 while it does not listen.
    package var port: Int {
        state.withLock { state in
            if case .running(_, let port) = state { port } else { 0 }
        }
    }

    /// Checks that the address can be listened on, before other services start.
    package func checkAddress() throws(HTTPServingError) {
        try ListeningSocket.check(host: host, port: wantedPort)
    }

    /// Begins to listen.
    ///
    /// The process ignores `SIGPIPE` from then on, because libevent writes without `MSG_NOSIGNAL`. A closed client is
    /// then an error of its connection, not of the process.
    ///
    /// - Throws: ``HTTPServingError/cannotListen(host:port:reason:)``.
    package func start() async throws {
        signal(SIGPIPE, SIG_IGN)
        let sockets = try ListeningSocket.open(loops.loops.count, host: host, port: wantedPort)
        let port = sockets.first.map(ListeningSocket.port(of:)) ?? 0
        var acceptors: [Acceptor] = []
        for (loop, socket) in zip(loops.loops, sockets) {
            let acceptor = Acceptor(loop, serving)
            await acceptor.listen(on: socket)
            acceptors.append(acceptor)
        }
        state.withLock { $0 = .running(acceptors, port: port) }
    }

    /// Stops accepting, finishes the requests in progress, and closes.
    ///
    /// Responses say `Connection: close`; idle connections are closed at once. At the deadline unfinished requests are
    /// cut off and their handlers cancelled.
    package func drain(by deadline: Deadline) async {
        let acceptors: [Acceptor] = state.withLock { state in
            defer { state = .stopped }
            return if case .running(let acceptors, _) = state { acceptors } else { [] }
        }
        await withTaskGroup(of: Void.self) { group in
            for acceptor in acceptors { group.addTask { await Self.drain(acceptor, by: deadline) } }
        }
    }

    private static func drain(_ acceptor: Acceptor, by deadline: Deadline) async {
        let drained = await acceptor.drain()
        let alarm = Alarm(at: deadline) { drained.settle(()) }
        await drained.value(ifCancelled: ())
        alarm.cancel()
        await acceptor.end()
    }
}

/// The limits of the server for sizes, times and concurrency.
package struct HTTPLimits: Sendable {
    /// The maximum length of a request line in bytes, without its line end; a longer one gets 414.
    package var requestLineBytes = 8 << 10
    /// The maximum size of a head in bytes, from request line to empty line; a larger one gets 431.
    package var headBytes = 16 << 10
    /// The maximum number of header fields of a request, at least 1; more get 431.
    package var headerFields = 100
    /// The default maximum size of a body in bytes, for routes without their own limit; a larger one gets 413.
    package var bodyBytes = 64 << 10
    /// The number of bytes that a client may send ahead while a response is pending; more stay in the kernel.
    package var pipelinedBytes = 64 << 10
    /// The maximum number of connections of the process; a further one gets 503 and is closed.
    package var connections = 10_000
    /// The maximum number of requests in progress; a further one gets 503 with `Retry-After`.
    package var requestsInFlight = 4_096
    /// The time limit from a request's first byte to its complete head; then 408.
    package var headTime = Duration.seconds(10)
    /// The time limit from the end of the head to the complete body; then 408.
    package var bodyTime = Duration.seconds(15)
    /// The time after which a connection without a request is closed.
    package var idleTime = Duration.seconds(60)
    /// The time limit for a client to read a response, or one chunk of a stream, before it is disconnected.
    package var writeTime = Duration.seconds(10)
    /// The time for which a refused client's bytes are read and dropped, so that it receives the refusal.
    package var lingerTime = Duration.seconds(1)

    package init() {}
}

/// Reasons why the server cannot start or send.
package enum HTTPServingError: Error, Equatable {
    /// The address cannot be listened on; the reason is the system's.
    case cannotListen(host: String, port: Int, reason: String)
    /// The client closed its connection or exceeded the write deadline.
    case peerGone
}

extension HTTPServingError: CustomStringConvertible {
    /// A sentence for the operator.
    package var description: String {
        switch self {
        case .cannotListen(let host, let port, let reason): "Nothing can listen on \(host), port \(port): \(reason)."
        case .peerGone: "The client went away."
        }
    }
}
