import CEvent
import Runtime

/// One client's connection: the next request's bytes, the pending response, and their time limits.
///
/// A client that closes its sending side has either disconnected or waits for its response; TCP shows which only after
/// a write. The server then writes a `100 Continue`, which HTTP/1.1 clients skip. A disconnected client resets the
/// connection, and its handler is cancelled. An HTTP/1.0 client is always answered.
///
/// Confined to its acceptor's loop: created there, and used by libevent's callbacks and the acceptor's methods.
final class Connection {
    private enum Phase {
        case idle, readingHead, readingBody, answering, writing, streaming, lingering, closed
    }

    private static let firstResetCheck = Duration.milliseconds(5)
    private static let slowestResetCheck = Duration.seconds(1)

    private let id: Int
    private let link: EvhttpLink
    private unowned let acceptor: Acceptor
    private let serving: Serving
    private let inbox: RequestInbox
    private let peer: String
    private var gate: RequestGate
    private var phase = Phase.idle
    private var exchange: Exchange?
    private var received = Instant.now
    private var hasServed = false
    private var peerFinished = false
    private var isAdvancing = false
    private var resetCheck = Connection.firstResetCheck
    private var writers: [OneShot<Bool>] = []
    private var timer: LoopTimer?

    init(_ id: Int, _ link: EvhttpLink, _ acceptor: Acceptor, _ serving: Serving, _ inbox: RequestInbox) {
        self.id = id
        self.link = link
        self.acceptor = acceptor
        self.serving = serving
        self.inbox = inbox
        peer = link.peer
        gate = RequestGate(limits: serving.limits)
        timer = LoopTimer(acceptor.loop) { [unowned self] in timeIsUp() }
        link.watch(self)
    }

    func begin() {
        timer?.start(after: serving.limits.idleTime)
    }

    /// Closes at once when idle; a new or just reading connection may still send its request.
    func drain(lateRequestTime: Duration) {
        switch phase {
        case .idle where hasServed: close()
        case .idle, .readingHead: timer?.start(after: lateRequestTime)
        case .readingBody, .answering, .writing, .streaming, .lingering, .closed: break
        }
    }

    /// Closes the connection and cancels its handler.
    func close() {
        if phase != .closed { link.free() }
    }
}

// Events from libevent.
extension Connection {
    func bytesArrived() {
        link.takeInput { if phase != .lingering { gate.receive($0) } }
        switch phase {
        case .idle, .readingHead, .readingBody: advance()
        case .answering, .writing, .streaming: setReading()
        case .lingering, .closed: break
        }
    }

    /// The kernel has taken the written bytes.
    func bytesWritten() {
        guard link.outputCount == 0 else { return }
        switch phase {
        case .writing: complete()
        case .streaming:
            timer?.cancel()
            settleWriters(true)
            checkForResetIfFinished()
        default: break
        }
    }

    /// The client closed its side, or the connection failed.
    func streamEnded(isError: Bool) {
        peerFinished = true
        switch phase {
        case _ where isError: abandon()
        case .answering:
            if exchange?.minorVersion == 1 { link.writeInterim("HTTP/1.1 100 Continue\r\n\r\n") }
            checkForResetIfFinished()
        case .streaming where writers.isEmpty: checkForResetIfFinished()
        case .writing, .streaming: break
        case .idle, .readingHead, .readingBody, .lingering: close()
        case .closed: break
        }
    }

    /// The connection is being freed and must not be used afterwards.
    func connectionClosed() {
        guard phase != .closed else { return }
        phase = .closed
        timer = nil
        exchange?.task?.cancel()
        exchange = nil
        settleWriters(false)
        acceptor.assumeIsolated { [id] in $0.remove(id) }
    }

    private func timeIsUp() {
        switch phase {
        case .readingHead: refuse(.tooSlow(limit: serving.limits.headTime))
        case .readingBody: refuse(.tooSlow(limit: serving.limits.bodyTime))
        case .answering: checkForReset()
        case .streaming where writers.isEmpty: checkForReset()
        case .writing, .streaming: abandon()
        case .idle, .lingering: close()
        case .closed: break
        }
    }

    private func checkForResetIfFinished() {
        guard peerFinished else { return }
        timer?.start(after: resetCheck)
    }

    private func checkForReset() {
        guard !link.isReset else { return abandon() }
        resetCheck = min(resetCheck * 2, Self.slowestResetCheck)
        timer?.start(after: resetCheck)
    }

    private func abandon() {
        if exchange != nil { serving.metrics.abandoned.add() }
        close()
    }

    /// Reads during a pending response, to detect a disconnect, up to the limit of pipelined bytes.
    private func setReading() {
        link.setReading(!peerFinished && gate.count <= serving.limits.pipelinedBytes)
    }
}

// Reading a request.
extension Connection {
    /// Reads requests until one is in progress or more bytes are needed.
    ///
    /// A request answered before this method returns makes it read the next one, without recursion.
    private func advance() {
        guard !isAdvancing else { return }
        isAdvancing = true
        defer { isAdvancing = false }
        while isReading && readNext() {}
    }

    private var isReading: Bool { phase == .idle || phase == .readingHead || phase == .readingBody }

    /// Handles the next request; false while it is incomplete.
    private func readNext() -> Bool {
        if phase == .idle && gate.count > 0 { received = .now }
        switch gate.next(bodyLimit: serving.bodyLimit) {
        case .needsMore:
            peerFinished ? close() : waitForMore()
            return false
        case .whole(let head, let wire): answer(head, wire)
        case .refused(let failure): refuse(failure)
        }
        return true
    }

    /// Starts the time limits at the first byte and at the head's end; later bytes do not extend them.
    private func waitForMore() {
        switch gate.progress {
        case .nothing:
            phase = .idle
            guard !acceptor.assumeIsolated({ $0.isDraining }) || !hasServed else { return close() }
            timer?.start(after: serving.limits.idleTime)
        case .head where phase == .idle:
            phase = .readingHead
            timer?.start(at: Deadline(after: serving.limits.headTime, from: received))
        case .body(let head) where phase != .readingBody:
            phase = .readingBody
            timer?.start(after: serving.limits.bodyTime)
            if head.expectsContinue { link.writeInterim("HTTP/1.1 100 Continue\r\n\r\n") }
        case .head, .body: break
        }
    }

    /// Refuses the received bytes and closes the connection, because the next request's start is unknown.
    func refuse(_ failure: HTTPFailure) {
        let request = FailedRequest(salvaging: gate.held, peer: peer, received: received)
        let method = HTTPMethod(rawValue: request.method)
        let wire = [UInt8]((method == .head ? "HEAD / HTTP/1.1\r\n\r\n" : "GET / HTTP/1.1\r\n\r\n").utf8)
        guard exchange(wire, method: method, minorVersion: 1, closes: true) else { return }
        exchange?.lingers = true
        fail(failure, request)
    }

    private func answer(_ head: RequestHead, _ wire: [UInt8]) {
        guard exchange(wire, method: head.method, minorVersion: head.minorVersion, closes: head.closes),
            let exchange
        else { return }
        switch serving.router.match(head.method, head.target.path) {
        case .found(let handler, let parameters, let pattern):
            self.exchange?.pattern = pattern
            start(handler, request(head, exchange, parameters))
        case .methodNotAllowed(let allowed): fail(.methodNotAllowed(allowed: allowed), failed(head, exchange))
        case .notFound: fail(.notFound, failed(head, exchange))
        }
    }

    /// Lets `evhttp` read a request and begins its exchange; closes when its reading differs from the gate's.
    private func exchange(_ wire: [UInt8], method: HTTPMethod?, minorVersion: Int, closes: Bool) -> Bool {
        timer?.cancel()
        phase = .answering
        let isUsedUp = link.offer(wire)
        guard phase != .closed else { return false }
        link.watch(self)
        guard let request = inbox.take(), isUsedUp else {
            close()
            return false
        }
        exchange = Exchange(
            request: request,
            method: method,
            minorVersion: minorVersion,
            received: received,
            closes: closes
        )
        exchange?.takeConnectionFields()
        setReading()
        return true
    }

    private func request(_ head: RequestHead, _ exchange: Exchange, _ parameters: [String: String]) -> HTTPRequest {
        HTTPRequest(
            method: head.method,
            path: head.target.path,
            query: head.target.query,
            headers: exchange.headers,
            body: exchange.body,
            parameters: parameters,
            peer: peer,
            received: received
        )
    }

    private func failed(_ head: RequestHead, _ exchange: Exchange) -> FailedRequest {
        FailedRequest(
            method: head.method.rawValue,
            path: head.target.path,
            headers: exchange.headers,
            peer: peer,
            received: received
        )
    }
}

// Answering a request.
extension Connection {
    private func start(_ handler: @escaping Router.Handler, _ request: HTTPRequest) {
        guard serving.admission.addRequest(atMost: serving.limits.requestsInFlight) else {
            let failed = FailedRequest(
                method: request.method.rawValue,
                path: request.path,
                headers: request.headers,
                peer: peer,
                received: received
            )
            return fail(.tooManyRequests(limit: serving.limits.requestsInFlight), failed)
        }
        exchange?.task = acceptor.assumeIsolated { [id] in $0.start(handler, request, on: id) }
    }

    private func fail(_ failure: HTTPFailure, _ request: FailedRequest) {
        serving.metrics.failures.add(1, failure.name)
        let response = serving.response(to: failure, request)
        guard case .bytes(let body) = response.body else { return send(response, []) }
        send(response, body)
    }

    func send(_ response: HTTPResponse, _ body: [UInt8]) {
        guard phase == .answering else { return }
        phase = .writing
        prepareToWrite()
        exchange?.send(response, body)
        link.writeNow() ? complete() : afterWriting()
    }

    /// Begins a streamed response; false when no client can receive it.
    func beginStream(_ response: HTTPResponse) -> Bool {
        guard phase == .answering else { return false }
        guard exchange?.method != .head, response.allowsBody else {
            send(response, [])
            return false
        }
        phase = .streaming
        prepareToWrite()
        exchange?.beginStream(response)
        afterWriting(link.writeNow())
        return true
    }

    func write(_ chunk: [UInt8], _ written: OneShot<Bool>) {
        guard phase == .streaming else {
            written.settle(false)
            return
        }
        exchange?.write(chunk)
        writers.append(written)
        let isWritten = link.writeNow()
        if isWritten { settleWriters(true) }
        afterWriting(isWritten)
    }

    /// Ends a streamed response; an incomplete one closes the connection, so that the client notices.
    func endStream(isWhole: Bool) {
        guard phase == .streaming, let exchange else { return }
        guard isWhole else { return abandon() }
        phase = .writing
        let isAtEnd = exchange.minorVersion == 0 && link.outputCount == 0
        if isAtEnd { exchange.keepConnection() }
        evhttp_send_reply_end(exchange.request)
        guard !isAtEnd else { return finish(exchange) }
        link.writeNow() ? complete() : afterWriting()
    }

    private func prepareToWrite() {
        if acceptor.assumeIsolated({ $0.isDraining }) { exchange?.closes = true }
    }

    /// Takes the stream back from `evhttp` after it wrote; the write deadline of the remaining bytes begins.
    private func afterWriting(_ isWritten: Bool = false) {
        link.watch(self)
        setReading()
        if isWritten {
            timer?.cancel()
            checkForResetIfFinished()
        } else {
            timer?.start(after: serving.limits.writeTime)
        }
    }

    private func settleWriters(_ isWritten: Bool) {
        let settled = writers
        writers = []
        for writer in settled { writer.settle(isWritten) }
    }

    /// The kernel has taken the complete response.
    private func complete() {
        guard let exchange else { return }
        exchange.keepConnection()
        link.tellWritten()
        finish(exchange)
    }

    private func finish(_ exchange: Exchange) {
        self.exchange = nil
        guard phase != .closed else { return }
        link.watch(self)
        hasServed = true
        timer?.cancel()
        tell(exchange)
        phase = .idle
        guard exchange.closes else {
            setReading()
            return advance()
        }
        exchange.lingers || gate.count > 0 ? linger() : close()
    }

    private func tell(_ exchange: Exchange) {
        let answered = AnsweredRequest(
            pattern: exchange.pattern,
            method: exchange.method,
            status: exchange.status,
            duration: Instant.now.since(exchange.received),
            bytes: exchange.bytes
        )
        serving.observer(answered)
    }

    /// Reads and drops further bytes: closing with unread bytes would reset the connection and lose the response.
    private func linger() {
        guard !peerFinished else { return close() }
        phase = .lingering
        link.endWriting()
        link.setReading(true)
        timer?.start(after: serving.limits.lingerTime)
    }
}
