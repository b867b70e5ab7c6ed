import CEvent
import Foundation
import Runtime

/// One loop's share of a server: a listening socket, and the connections that it accepted.
actor Acceptor {
    /// How long a connection on which nothing was ever sent may still begin a request while the server drains.
    private static let lateRequestTime = Duration.milliseconds(500)
    /// How long accepting rests when the system has no descriptor left.
    private static let restTime = Duration.milliseconds(100)
    /// How many connections over the limit are told so before they are closed unanswered.
    private static let refusedConnections = 128

    nonisolated let loop: EventLoop
    private let serving: Serving
    private var listener: OpaquePointer?
    private var connections: [Int: Connection] = [:]
    private var lastID = 0
    private var tasks = 0
    private var date = DateField()
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
        let flags = LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC
        let context = Unmanaged.passUnretained(self).toOpaque()
        listener = evconnlistener_new(loop.base, accepted, context, flags, 0, descriptor)
        precondition(listener != nil, "libevent could not make a listener")
        evconnlistener_set_error_cb(listener, acceptFailed)
        whileServing = self
        rest = LoopTimer(loop) { [unowned self] in assumeIsolated { $0.acceptAgain() } }
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
        for connection in connections.values { connection.close() }
        rest = nil
        whileServing = nil
    }

    private func stopAccepting() {
        guard let listener else { return }
        self.listener = nil
        evconnlistener_free(listener)
    }

    private func settleIfDrained() {
        if connections.isEmpty && tasks == 0 { drained?.settle(()) }
    }
}

// Accepting.
extension Acceptor {
    /// Takes a connection over, or refuses it when there are too many.
    fileprivate func accept(_ descriptor: Int32, peer: String) {
        guard let socket = ClientSocket(descriptor, on: loop.base) else { return serving.metrics.acceptFailures.add() }
        lastID += 1
        let connection = Connection(lastID, socket, peer: peer, self, serving)
        connections[lastID] = connection
        serving.metrics.connections.add(1)
        let count = serving.admission.addConnection()
        if count > serving.limits.connections + Self.refusedConnections {
            connection.close()
        } else if count > serving.limits.connections {
            connection.refuse(.tooManyConnections(limit: serving.limits.connections))
        } else {
            connection.begin()
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

    /// What the `Date` field of an answer says now.
    var dateText: String { date.text(at: time(nil)) }

    fileprivate func restFromAccepting() {
        guard let listener else { return }
        serving.metrics.acceptFailures.add()
        evconnlistener_disable(listener)
        rest?.start(after: Self.restTime)
    }

    private func acceptAgain() {
        guard let listener else { return }
        evconnlistener_enable(listener)
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

private let accepted: evconnlistener_cb = { _, descriptor, address, length, context in
    guard let context else { return }
    let peer = PeerAddress.text(of: address, length)
    Unmanaged<Acceptor>.fromOpaque(context).takeUnretainedValue().assumeIsolated { $0.accept(descriptor, peer: peer) }
}

private let acceptFailed: evconnlistener_errorcb = { _, context in
    guard let context else { return }
    Unmanaged<Acceptor>.fromOpaque(context).takeUnretainedValue().assumeIsolated { $0.restFromAccepting() }
}

/// A peer's address as text.
private enum PeerAddress {
    /// The numeric address without its port; empty when the system cannot say it.
    static func text(of address: UnsafePointer<sockaddr>?, _ length: Int32) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(NI_MAXHOST)) { host in
            let (start, count) = (host.baseAddress, socklen_t(host.count))
            guard getnameinfo(address, socklen_t(length), start, count, nil, 0, NI_NUMERICHOST) == 0, let start else {
                return ""
            }
            return String(cString: start)
        }
    }
}
