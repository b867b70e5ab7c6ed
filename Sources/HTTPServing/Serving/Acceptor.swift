import CEvent
import Foundation
import Runtime
import Synchronization

/// One loop's part of a server: a listening socket, an `evhttp` and its accepted connections.
actor Acceptor {
    /// The time in which a new connection may still send its first request during a drain.
    private static let lateRequestTime = Duration.milliseconds(500)
    /// The pause in accepting after the system ran out of descriptors.
    private static let restTime = Duration.milliseconds(100)
    /// The number of connections over the limit that still get a 503; further ones are closed unanswered.
    private static let refusedConnections = 128

    nonisolated let loop: EventLoop
    private let serving: Serving
    private let inbox = RequestInbox()
    private var server: OpaquePointer?
    private var socket: OpaquePointer?
    private var newcomers: [OpaquePointer] = []
    private var connections: [Int: Connection] = [:]
    private var lastID = 0
    private var tasks = 0
    private var adoption: LoopTimer?
    private var rest: LoopTimer?
    private var whileServing: Acceptor?
    private var drained: OneShot<Void>?

    init(_ loop: EventLoop, _ serving: Serving) {
        self.loop = loop
        self.serving = serving
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Begins to accept on a socket, which the acceptor then owns.
    ///
    /// The acceptor keeps itself alive until its end, because libevent's callbacks hold unowned pointers to it.
    func listen(on descriptor: Int32) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        let server = evhttp_new(loop.base)
        evhttp_set_default_content_type(server, nil)
        evhttp_set_allowed_methods(server, UInt16(HTTPMethod.allCases.reduce(0) { $0 | $1.command.rawValue }))
        evhttp_set_bevcb(server, streamForNewcomer, context)
        evhttp_set_gencb(server, requestRead, Unmanaged.passUnretained(inbox).toOpaque())
        socket = evhttp_accept_socket_with_handle(server, descriptor)
        precondition(socket != nil, "libevent could not make a listener")
        self.server = server
        whileServing = self
        adoption = LoopTimer(loop) { [unowned self] in assumeIsolated { $0.adopt() } }
        rest = LoopTimer(loop) { [unowned self] in assumeIsolated { $0.acceptAgain() } }
        Self.register(self, for: server)
        evconnlistener_set_error_cb(evhttp_bound_socket_get_listener(socket), acceptFailed)
    }

    /// Stops accepting, closes idle connections and lets the others finish; the one-shot fires when none is left.
    func drain() -> OneShot<Void> {
        let drained = OneShot<Void>()
        self.drained = drained
        stopAccepting()
        for connection in connections.values { connection.drain(lateRequestTime: Self.lateRequestTime) }
        settleIfDrained()
        return drained
    }

    /// Closes the remaining connections and frees all resources.
    func end() {
        stopAccepting()
        adopt()
        if let server { evhttp_free(server) }
        server = nil
        adoption = nil
        rest = nil
        whileServing = nil
    }

    private func stopAccepting() {
        guard let socket else { return }
        self.socket = nil
        Self.register(nil, for: server)
        evhttp_del_accept_socket(server, socket)
    }

    private func settleIfDrained() {
        if connections.isEmpty && newcomers.isEmpty && tasks == 0 { drained?.settle(()) }
    }
}

// Accepting connections.
extension Acceptor {
    /// Makes the stream of a new connection and schedules its adoption.
    ///
    /// The acceptor adopts the connection before the loop reads from it, because `evhttp` must not read.
    fileprivate func welcome() -> Int {
        guard let stream = bufferevent_socket_new(loop.base, -1, 0) else { return 0 }
        bufferevent_incref(stream)
        newcomers.append(stream)
        adoption?.startNow()
        return Int(bitPattern: stream)
    }

    /// Adopts the connections that `evhttp` has set up; none of their bytes has been read.
    private func adopt() {
        let streams = newcomers
        newcomers = []
        for stream in streams {
            if let link = EvhttpLink(stream) { add(link) }
            bufferevent_decref(stream)
        }
        settleIfDrained()
    }

    private func add(_ link: EvhttpLink) {
        lastID += 1
        let connection = Connection(lastID, link, self, serving, inbox)
        connections[lastID] = connection
        serving.metrics.connections.add(1)
        let count = serving.admission.addConnection()
        if count > serving.limits.connections + Self.refusedConnections {
            connection.close()
        } else if count > serving.limits.connections {
            connection.refuse(.tooManyConnections(limit: serving.limits.connections))
        } else {
            connection.begin()
            if drained != nil { connection.drain(lateRequestTime: Self.lateRequestTime) }
        }
    }

    /// Forgets a closed connection.
    func remove(_ id: Int) {
        guard connections.removeValue(forKey: id) != nil else { return }
        serving.admission.removeConnection()
        serving.metrics.connections.add(-1)
        settleIfDrained()
    }

    /// True if connections must close after their current response.
    var isDraining: Bool { drained != nil }

    fileprivate func restFromAccepting() {
        guard let socket else { return }
        serving.metrics.acceptFailures.add()
        evconnlistener_disable(evhttp_bound_socket_get_listener(socket))
        rest?.start(after: Self.restTime)
    }

    private func acceptAgain() {
        guard let socket else { return }
        evconnlistener_enable(evhttp_bound_socket_get_listener(socket))
    }
}

// Answering requests.
extension Acceptor {
    /// Runs a handler on the loop and gives its response to the connection.
    func start(_ handler: @escaping Router.Handler, _ request: HTTPRequest, on id: Int) -> Task<Void, Never> {
        tasks += 1
        serving.metrics.requestsInFlight.add(1)
        return Task(executorPreference: loop) { await self.run(handler, request, on: id) }
    }

    private func run(_ handler: Router.Handler, _ request: HTTPRequest, on id: Int) async {
        let response = await handler(request)
        switch response.body {
        case .bytes(let body): connections[id]?.send(response, body)
        case .stream(let produce):
            guard beginStream(response, on: id) else { break }
            let isWhole = await isProduced(produce, on: id)
            connections[id]?.endStream(isWhole: isWhole)
        }
        tasks -= 1
        serving.admission.removeRequest()
        serving.metrics.requestsInFlight.add(-1)
        settleIfDrained()
    }

    private func isProduced(_ produce: @Sendable (any BodyWriter) async throws -> Void, on id: Int) async -> Bool {
        do {
            try await produce(StreamWriter(self, connection: id))
            return true
        } catch {
            return false
        }
    }

    /// True if a client waits for a stream; a HEAD request gets its response at once.
    private func beginStream(_ response: HTTPResponse, on id: Int) -> Bool {
        connections[id]?.beginStream(response) ?? false
    }

    /// Writes a chunk; the one-shot delivers true when the next may follow, false after a failure.
    func write(_ chunk: [UInt8], to id: Int, _ written: OneShot<Bool>) {
        guard let connection = connections[id] else {
            written.settle(false)
            return
        }
        connection.write(chunk, written)
    }
}

// `evhttp` passes no context to a listener's error callback, so the acceptor is found by its server.
extension Acceptor {
    private static let accepting = Mutex<[Int: Acceptor]>([:])

    private static func register(_ acceptor: Acceptor?, for server: OpaquePointer?) {
        accepting.withLock { $0[Int(bitPattern: server)] = acceptor }
    }

    fileprivate static func accepting(for server: UnsafeMutableRawPointer?) -> Acceptor? {
        accepting.withLock { $0[Int(bitPattern: server)] }
    }
}

/// Holds the request that `evhttp` has just read, until the offering connection takes it.
final class RequestInbox {
    fileprivate var request: UnsafeMutablePointer<evhttp_request>?

    /// Takes the request that was read last; nil after it was taken.
    func take() -> UnsafeMutablePointer<evhttp_request>? {
        defer { request = nil }
        return request
    }
}

extension HTTPMethod {
    fileprivate var command: evhttp_cmd_type {
        switch self {
        case .get: EVHTTP_REQ_GET
        case .head: EVHTTP_REQ_HEAD
        case .post: EVHTTP_REQ_POST
        case .put: EVHTTP_REQ_PUT
        case .patch: EVHTTP_REQ_PATCH
        case .delete: EVHTTP_REQ_DELETE
        case .options: EVHTTP_REQ_OPTIONS
        }
    }
}

private let streamForNewcomer: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> OpaquePointer? = {
    _,
    context in
    guard let context else { return nil }
    let acceptor = Unmanaged<Acceptor>.fromOpaque(context).takeUnretainedValue()
    return OpaquePointer(bitPattern: acceptor.assumeIsolated { $0.welcome() })
}

private let requestRead: @convention(c) (UnsafeMutablePointer<evhttp_request>?, UnsafeMutableRawPointer?) -> Void = {
    request,
    context in
    guard let context else { return }
    Unmanaged<RequestInbox>.fromOpaque(context).takeUnretainedValue().request = request
}

private let acceptFailed: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Void = { _, server in
    Acceptor.accepting(for: server)?.assumeIsolated { $0.restFromAccepting() }
}
