import Foundation
import HTTPClient
import Runtime
import TestSupport
import Testing

/// Ends of a transfer that would not end by itself: its deadline, its caller's cancellation, the client's drain.
@Suite(.timeLimit(.minutes(2)))
struct DeadlineTests {
    /// Progress of a transfer before its peer falls silent.
    enum Stall: String, CaseIterable {
        case connecting, waiting, reading
    }

    @Test(arguments: Stall.allCases)
    func `a transfer ends at its deadline wherever it hangs`(stall: Stall) async throws {
        let peer = StalledPeer(stall)
        defer { peer.stop() }
        try await withClient { client async throws in
            let deadline = Deadline(after: .milliseconds(500))
            let failure = await client.failure(OutgoingRequest(.get, peer.url), by: deadline)
            #expect(deadline.hasPassed())
            guard case .timedOut(let after, let phase) = failure else {
                Issue.record("\(String(describing: failure))")
                return
            }
            #expect(phase.rawValue == stall.rawValue)
            #expect(after < .seconds(3))
            #expect(await eventually { client.transfers == 0 && peer.clients == 0 })
        }
    }

    @Test(arguments: Stall.allCases)
    func `a cancelled caller is free at once and so is its connection`(stall: Stall) async throws {
        let peer = StalledPeer(stall)
        defer { peer.stop() }
        try await withClient { client async throws in
            let task = Task { await client.failure(OutgoingRequest(.get, peer.url)) }
            await peer.stalled()
            #expect(await eventually { client.transfers == 1 })
            task.cancel()
            #expect(await task.value == .cancelled)
            #expect(await eventually { client.transfers == 0 && peer.clients == 0 })
        }
    }

    @Test func `a task that was cancelled before it asked sends nothing`() async throws {
        let server = RawServer { _ in }
        defer { server.stop() }
        try await withClient { client async throws in
            let task = Task {
                while !Task.isCancelled { await Task.yield() }
                return await client.failure(OutgoingRequest(.get, server.url))
            }
            task.cancel()
            #expect(await task.value == .cancelled)
            #expect(await eventually { client.transfers == 0 })
        }
    }

    @Test func `a deadline that has passed sends nothing`() async throws {
        let server = RawServer { _ in }
        defer { server.stop() }
        let past = Deadline(after: .zero)
        let failure = try await withClient { await $0.failure(OutgoingRequest(.get, server.url), by: past) }
        #expect(failure == .timedOut(after: .zero, during: .resolving))
        #expect(server.accepted == 0)
    }

    @Test func `making a connection has its own limit`() async throws {
        let peer = StalledPeer(.connecting)
        defer { peer.stop() }
        var settings = HTTPClientSettings()
        settings.connectTime = .milliseconds(100)
        let failure = try await withClient(settings) { await $0.failure(OutgoingRequest(.get, peer.url)) }
        guard case .timedOut(let after, during: .connecting) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(after < .seconds(3))
        #expect(failure?.mayHaveArrived == false)
    }

    @Test func `a drained client finishes what is in flight and takes nothing more`() async throws {
        let (arrived, gate) = (OneShot<Bool>(), RawServerGate())
        let server = RawServer { connection in
            _ = connection.readRequest()
            arrived.settle(true)
            gate.wait()
            connection.answer("whole")
        }
        defer { server.stop() }
        try await withClient { client async throws in
            async let text = client.text(server.url)
            _ = await arrived.value(ifCancelled: false)
            async let drained: Void = client.drain(by: soon())
            var refusal: TransferError?
            while refusal != .stopped {
                let late = OutgoingRequest(.get, server.url)
                refusal = await client.failure(late, by: Deadline(after: .milliseconds(20)))
            }
            gate.open()
            #expect(try await text == "whole")
            await drained
            #expect(Loopback.sockets(atPort: server.port) == 0)
        }
    }

    @Test func `draining cuts short what is unfinished at its deadline`() async throws {
        let peer = StalledPeer(.reading)
        defer { peer.stop() }
        try await withClient { client async throws in
            let response = try await client.send(OutgoingRequest(.get, peer.url), by: soon())
            await client.drain(by: Deadline(after: .milliseconds(50)))
            #expect(client.transfers == 0)
            #expect(try await response.body.next() == Array("half".utf8))
            await #expect(throws: TransferError.stopped) { try await response.body.next() }
        }
    }

    @Test func `a client that is dropped closes its connections`() async throws {
        let server = RawServer { connection in
            while connection.readRequest() != nil { connection.answer("x") }
        }
        defer { server.stop() }
        let loops = EventLoopGroup(count: 1)
        do {
            let client = HTTPClient(on: loops)
            _ = try await client.text(server.url)
            #expect(Loopback.sockets(atPort: server.port) > 0)
        }
        #expect(await eventually { Loopback.sockets(atPort: server.port) == 0 })
        loops.stop()
    }
}

/// A peer that leaves a transfer hanging at a chosen place.
private final class StalledPeer: Sendable {
    let port: Int
    private let server: RawServer?
    private let sockets: [Int32]
    private let backlog: Int
    private let reached = OneShot<Bool>()

    init(_ stall: DeadlineTests.Stall) {
        guard stall != .connecting else {
            (port, sockets, server) = Self.fullListener()
            reached.settle(true)
            backlog = Loopback.sockets(atPort: port)
            return
        }
        backlog = 0
        let server = RawServer { [reached] connection in
            _ = connection.readRequest()
            if stall == .reading { connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf") }
            reached.settle(true)
            _ = connection.waitForClientToLeave()
        }
        (port, sockets, self.server) = (server.port, [], server)
    }

    var url: String { "http://127.0.0.1:\(port)/" }

    func stalled() async { _ = await reached.value(ifCancelled: false) }

    /// Number of sockets of a client, beside those that fill the queue.
    var clients: Int { Loopback.sockets(atPort: port) - backlog }

    func stop() {
        server?.stop()
        for socket in sockets { close(socket) }
    }

    /// A listener whose queue is full, so that the next connection is neither made nor refused.
    private static func fullListener() -> (Int, [Int32], RawServer?) {
        let (listener, port) = Loopback.listen(backlog: 0)
        let waiting = (0..<4).map { _ in Loopback.beginConnecting(toPort: port) }
        return (port, [listener] + waiting, nil)
    }
}
