import CEvent
import Foundation
import Runtime
import Synchronization

/// One loop's share of a server: a listening socket, an `evhttp`, and the connections that it accepted.
actor Acceptor {
    /// How long a connection on which nothing was ever sent may still begin a request while the server drains.
    private static let lateRequestTime = Duration.milliseconds(500)
    /// How long accepting rests when the system has no descriptor left.
    private static let restTime = Duration.milliseconds(100)
    /// How many connections over the limit are told so before they are closed unanswered.
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

    /// Begins to accept on a socket, which becomes the acceptor's.
    ///
    /// From then until its end the acceptor keeps itself alive, because libevent's callbacks hold bare pointers to it.
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

    /// Accepts no more, closes idle connections and lets the rest finish; the value comes when nothing is left.
    func drain() -> OneShot<Void> {
        let drained = OneShot<Void>()
        self.drained = drained
        stopAccepting()
        for connection in connections.values { connection.drain(lateRequestTime: Self.lateRequestTime) }
        settleIfDrained()
        return drained
    }

    /// Closes every connection that is left and frees everything.
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

// Accepting.
extension Acceptor {
    /// Makes the stream of a connection that `evhttp` is about to take, and looks after it once `evhttp` has: before the
    /// loop reads from it, because `evhttp` must not.
    fileprivate func welcome() -> Int {
        guard let stream = bufferevent_socket_new(loop.base, -1, 0) else { return 0 }
        bufferevent_incref(stream)
        newcomers.append(stream)
        adoption?.startNow()
        return Int(bitPattern: stream)
    }

    /// Takes over the connections that `evhttp` has set up since; no byte of them has been read yet.
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

    /// Forgets a connection that has been closed.
    func remove(_ id: Int) {
        guard connections.removeValue(forKey: id) != nil else { return }
        serving.admission.removeConnection()
        serving.metrics.connections.add(-1)
        settleIfDrained()
    }

    /// Whether connections are to be closed after the answer that they wait for.
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

// Answering.
extension Acceptor {
    /// Runs a handler and gives its answer to the connection; on the loop from first to last.
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

    /// Whether there is a client to stream to; a HEAD request has its answer at once.
    private func beginStream(_ response: HTTPResponse, on id: Int) -> Bool {
        connections[id]?.beginStream(response) ?? false
    }

    /// Writes a chunk; the value comes when the connection can take another, false when it never will.
    func write(_ chunk: [UInt8], to id: Int, _ written: OneShot<Bool>) {
        guard let connection = connections[id] else {
            written.settle(false)
            return
        }
        connection.write(chunk, written)
    }
}

// `evhttp` gives a listener's error callback no context of ours, so that the acceptor is found by its server.
extension Acceptor {
    private static let accepting = Mutex<[Int: Acceptor]>([:])

    private static func register(_ acceptor: Acceptor?, for server: OpaquePointer?) {
        accepting.withLock { $0[Int(bitPattern: server)] = acceptor }
    }

    fileprivate static func accepting(for server: UnsafeMutableRawPointer?) -> Acceptor? {
        accepting.withLock { $0[Int(bitPattern: server)] }
    }
}

/// Where `evhttp` puts the request that it has just read; the connection that offered it takes it from there.
final class RequestInbox {
    fileprivate var request: UnsafeMutablePointer<evhttp_request>?

    /// The request that was read last; nil after it has been taken.
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
