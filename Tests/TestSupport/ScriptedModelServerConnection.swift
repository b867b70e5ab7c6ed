import Foundation
import Runtime
import Synchronization

/// Takes the server's connections, on its loop.
actor ScriptedModelServerListener {
    private let loop: EventLoop
    private let descriptor: Int32
    private let count = Atomic(0)
    private var watch: SocketWatcher?
    private var open: [Int: ScriptedModelServerConnection] = [:]

    init(_ descriptor: Int32, on loop: EventLoop) {
        self.descriptor = descriptor
        self.loop = loop
        Self.unblock(descriptor)
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    nonisolated var accepted: Int { count.load(ordering: .relaxed) }

    nonisolated func onLoop(_ work: @escaping @Sendable (isolated ScriptedModelServerListener) -> Void) {
        loop.execute { self.assumeIsolated(work) }
    }

    /// Begins to listen; `serve` is run for each connection until that is closed.
    func start(_ serve: @escaping @Sendable (ScriptedModelServerConnection) async -> Void) {
        watch = SocketWatcher(loop, descriptor: descriptor) { [self] _ in
            assumeIsolated { $0.acceptAll(serve) }
        }
        watch?.wait(for: .readable)
    }

    func stop() {
        watch = nil
        Foundation.close(descriptor)
        for connection in open.values { connection.assumeIsolated { $0.leave() } }
    }

    private func acceptAll(_ serve: @escaping @Sendable (ScriptedModelServerConnection) async -> Void) {
        while true {
            let descriptor = accept(self.descriptor, nil, nil)
            guard descriptor >= 0 else { return }
            Self.unblock(descriptor)
            let number = count.add(1, ordering: .relaxed).newValue
            let connection = ScriptedModelServerConnection(descriptor, number: number, on: loop)
            open[number] = connection
            connection.assumeIsolated { $0.start() }
            Task(executorPreference: loop) {
                await serve(connection)
                await self.forget(number)
            }
        }
    }

    private func forget(_ number: Int) {
        open[number] = nil
    }

    private static func unblock(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }
}

/// One connection of the server, on its loop: whole requests in, bytes out, and whether the client is still there.
actor ScriptedModelServerConnection {
    /// Result of a step.
    enum Outcome { case goesOn, ended, clientLeft }

    /// Events that a script may wait for besides the client's leaving.
    private enum Cause { case bytes, room, other }

    nonisolated let number: Int
    private let loop: EventLoop
    private let descriptor: Int32
    private var watch: SocketWatcher?
    private var timer: LoopTimer?
    private var unread: [UInt8] = []
    private var unsent: ArraySlice<UInt8> = []
    private var hasLeft = false
    /// Event that the script waits for, and its promise: false when the client leaves.
    private var waiting: (cause: Cause, shot: OneShot<Bool>)?

    init(_ descriptor: Int32, number: Int, on loop: EventLoop) {
        self.descriptor = descriptor
        self.number = number
        self.loop = loop
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    func start() {
        watch = SocketWatcher(loop, descriptor: descriptor) { [self] readiness in
            assumeIsolated { $0.ready(readiness) }
        }
        watch?.wait(for: .readable)
    }

    /// Reads one request; nil when the client has left.
    func readMessage() async -> ScriptedModelServerMessage? {
        while true {
            if let message = ScriptedModelServerMessage(takenFrom: &unread) { return message }
            guard await wait(for: .bytes) else { return nil }
        }
    }

    /// Does one step of a script.
    func take(_ step: ScriptedModelServer.Script.Step, _ writer: inout ScriptedModelServerWriter) async -> Outcome {
        switch step {
        case .pause(let duration): return await pause(for: duration) ? .goesOn : .clientLeft
        case .gate(let gate): return await wait(for: .other) { gate.pass($0) } ? .goesOn : .clientLeft
        case .stall:
            _ = await wait(for: .other)
            return .clientLeft
        case .repeatedly(let piece):
            while await send(writer.bytes(of: .text(piece))) {}
            return .clientLeft
        case .close: return .ended
        case .reset:
            reset()
            return .ended
        default:
            let bytes = writer.bytes(of: step)
            return await send(bytes) ? .goesOn : .clientLeft
        }
    }

    /// Closes the connection.
    func close() {
        guard watch != nil else { return }
        leave()
        watch = nil
        timer = nil
        Foundation.close(descriptor)
    }

    /// Wakes the script as if the client had gone.
    func leave() {
        hasLeft = true
        watch?.wait(for: [])
        waiting?.shot.settle(false)
        waiting = nil
    }

    private func reset() {
        var now = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
    }

    private func send(_ bytes: [UInt8]) async -> Bool {
        guard !hasLeft else { return false }
        unsent = bytes[...]
        sendMore()
        while !unsent.isEmpty {
            guard await wait(for: .room) else { return false }
        }
        return !hasLeft
    }

    private func pause(for duration: Duration) async -> Bool {
        guard duration > .zero else { return !hasLeft }
        return await wait(for: .other) { shot in
            let timer = LoopTimer(loop) { shot.settle(true) }
            timer.start(after: duration)
            self.timer = timer
        }
    }

    /// Waits for a cause, or until somebody settles the shot; false when the client leaves.
    private func wait(for cause: Cause, _ begin: (OneShot<Bool>) -> Void = { _ in }) async -> Bool {
        guard !hasLeft else { return false }
        let shot = OneShot<Bool>()
        waiting = (cause, shot)
        begin(shot)
        return await shot.value(ifCancelled: false)
    }

    private func wake(_ cause: Cause) {
        guard let waiting, waiting.cause == cause else { return }
        self.waiting = nil
        waiting.shot.settle(true)
    }

    private func ready(_ readiness: SocketReadiness) {
        if readiness.contains(.writable) {
            sendMore()
            if unsent.isEmpty { wake(.room) }
        }
        if readiness.contains(.readable) { receive() }
    }

    private func receive() {
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count > 0 {
            unread += buffer[..<count]
            wake(.bytes)
        } else if count == 0 || errno != EAGAIN {
            leave()
        }
    }

    private func sendMore() {
        while !unsent.isEmpty {
            let count = unsent.withUnsafeBytes {
                Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else {
                if errno != EAGAIN { leave() }
                break
            }
            unsent = unsent.dropFirst(count)
        }
        if !hasLeft { watch?.wait(for: unsent.isEmpty ? .readable : [.readable, .writable]) }
    }
}

/// A whole HTTP request, as the server read it off its connection.
struct ScriptedModelServerMessage: Sendable {
    let method: String
    let path: String
    let headers: HeaderFields
    let body: [UInt8]

    /// Takes the first whole request out of what was read; nil while it is not whole.
    init?(takenFrom unread: inout [UInt8]) {
        let blank = Array("\r\n\r\n".utf8)
        guard let end = unread.firstRange(of: blank) else { return nil }
        let lines = String(decoding: unread[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        var headers = HeaderFields()
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            headers.add(String(parts[0]), parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : "")
        }
        let length = headers["Content-Length"].flatMap { Int($0) } ?? 0
        guard unread.count >= end.upperBound + length else { return nil }
        let line = lines[0].split(separator: " ")
        method = line.first.map(String.init) ?? ""
        path = line.dropFirst().first.map(String.init) ?? ""
        self.headers = headers
        body = Array(unread[end.upperBound..<end.upperBound + length])
        unread.removeFirst(end.upperBound + length)
    }
}
