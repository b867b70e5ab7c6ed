import HTTPClient
import Runtime
import Synchronization
import TestSupport
import Testing

/// Reading of a body: as it comes, within bounds, and no longer than somebody wants it.
@Suite(.timeLimit(.minutes(2)))
struct ResponseBodyTests {
    @Test func `each piece is delivered before the next is sent`() async throws {
        let gate = RawServerGate()
        let server = RawServer { connection in
            _ = connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            for piece in ["one", "two", "three", ""] {
                gate.wait()
                connection.sendChunk(piece)
            }
        }
        defer { server.stop() }
        try await withClient { client async throws in
            let response = try await client.send(OutgoingRequest(.get, server.url), by: soon())
            for piece in ["one", "two", "three"] {
                gate.open()
                #expect(try await response.body.next() == Array(piece.utf8))
            }
            gate.open()
            #expect(try await response.body.next() == nil)
            #expect(try await response.body.next() == nil)
        }
    }

    @Test func `what is delivered wakes the reader only when it has enough`() async throws {
        let server = RawServer { connection in
            _ = connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            for piece in ["one ", "two ", "three.", "four ", "five", ""] { connection.sendChunk(piece) }
        }
        defer { server.stop() }
        try await withClient { client async throws in
            let response = try await client.send(OutgoingRequest(.get, server.url), by: soon())
            let heard = Mutex("")
            let hasEnough = try await response.body.deliver { bytes in
                heard.withLock { heard in
                    heard += String(decoding: bytes, as: UTF8.self)
                    return heard.contains(".")
                }
            }
            #expect(hasEnough && heard.withLock { $0.hasPrefix("one two three.") })
            let goesOn = try await response.body.deliver { bytes in
                heard.withLock { $0 += String(decoding: bytes, as: UTF8.self) }
                return false
            }
            #expect(!goesOn && heard.withLock { $0 } == "one two three.four five")
            #expect(try await response.body.next() == nil)
        }
    }

    @Test func `a reader that is cancelled while it is delivered nothing is free at once`() async throws {
        let left = OneShot<Bool>()
        let server = endlessServer(left)
        defer { server.stop() }
        try await withClient { client async throws in
            let response = try await client.send(OutgoingRequest(.get, server.url), by: soon())
            let began = OneShot<Bool>()
            let reading = Task {
                _ = try await response.body.deliver { _ in
                    began.settle(true)
                    return false
                }
            }
            _ = await began.value(ifCancelled: false)
            reading.cancel()
            await #expect(throws: TransferError.cancelled) { try await reading.value }
            #expect(await left.value(ifCancelled: false))
        }
    }

    @Test func `a reader that is let go of by its own transfer may stop the body`() async throws {
        final class Stopper: Sendable {
            let body: ResponseBody
            init(_ body: ResponseBody) { self.body = body }
            deinit { body.stop() }
        }
        let left = OneShot<Bool>()
        let server = endlessServer(left)
        defer { server.stop() }
        try await withClient { client async throws in
            let response = try await client.send(OutgoingRequest(.get, server.url), by: soon())
            let began = OneShot<Bool>()
            let reading = Task {
                let stopper = Stopper(response.body)
                _ = try await response.body.deliver { _ in
                    withExtendedLifetime(stopper) { _ = began.settle(true) }
                    return false
                }
            }
            _ = await began.value(ifCancelled: false)
            reading.cancel()
            await #expect(throws: TransferError.cancelled) { try await reading.value }
            #expect(await left.value(ifCancelled: false))
        }
    }

    @Test func `a body is a sequence`() async throws {
        let server = RawServer { connection in
            _ = connection.readRequest()
            connection.answer(String(repeating: "abc", count: 100_000))
        }
        defer { server.stop() }
        try await withClient { client async throws in
            let response = try await client.send(OutgoingRequest(.get, server.url), by: soon())
            var count = 0
            for try await bytes in response.body { count += bytes.count }
            #expect(count == 300_000)
        }
    }

    @Test func `a peer that sends faster than it is read is held back`() async throws {
        let sent = Atomic(0)
        let held = Atomic(0)
        let server = RawServer { connection in
            _ = connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 80000000\r\n\r\n")
            let piece = [UInt8](repeating: 1, count: 16_000)
            for _ in 0..<5_000 {
                while connection.isHeldBack { held.add(1, ordering: .sequentiallyConsistent) }
                guard connection.send(piece) else { return }
                sent.add(piece.count, ordering: .sequentiallyConsistent)
            }
        }
        defer { server.stop() }
        let other = RawServer { connection in
            while connection.readRequest() != nil { connection.answer("y") }
        }
        defer { other.stop() }
        try await withClient { client async throws in
            let response = try await client.send(OutgoingRequest(.get, server.url), by: soon())
            // Held back: found so again and again, with nothing sent between, while the client's loop does other
            // things.
            var quiet = 0
            while quiet < 3, sent.load(ordering: .sequentiallyConsistent) < 80_000_000 {
                let before = (
                    sent.load(ordering: .sequentiallyConsistent), held.load(ordering: .sequentiallyConsistent)
                )
                #expect(try await client.text(other.url) == "y")
                let isHeld = held.load(ordering: .sequentiallyConsistent) > before.1
                if sent.load(ordering: .sequentiallyConsistent) != before.0 { quiet = 0 } else if isHeld { quiet += 1 }
            }
            let ahead = sent.load(ordering: .sequentiallyConsistent)
            #expect(ahead < 40_000_000, "the peer was let run ahead by \(ahead) bytes")
            #expect(try await response.collect(upTo: 80_000_000).count == 80_000_000)
        }
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n", "hello world", 11, true),
        ("HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n", "hello world", 10, false),
        ("HTTP/1.1 200 OK\r\n\r\n", "hello world", 11, true),
        ("HTTP/1.1 200 OK\r\n\r\n", "hello world", 10, false),
        ("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999\r\n\r\n", "x", 10, false),
        ("HTTP/1.1 200 OK\r\n\r\n", "", 0, true),
    ])
    func `a body over the limit is refused, announced or not`(
        head: String,
        body: String,
        limit: Int,
        fits: Bool
    ) async throws {
        let server = RawServer { connection in
            _ = connection.readRequest()
            connection.send(head + body)
        }
        defer { server.stop() }
        let failure = try await withClient { await $0.failure(OutgoingRequest(.get, server.url), upTo: limit) }
        #expect(failure == (fits ? nil : .bodyTooLarge(limit: limit)))
    }

    @Test func `an endless body is refused at the limit and its connection closed`() async throws {
        let left = OneShot<Bool>()
        let server = RawServer { connection in
            _ = connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\n\r\n")
            while connection.send(String(repeating: "x", count: 10_000)) {}
            left.settle(true)
        }
        defer { server.stop() }
        try await withClient { client async throws in
            let failure = await client.failure(OutgoingRequest(.get, server.url), upTo: 1_000_000)
            #expect(failure == .bodyTooLarge(limit: 1_000_000))
            #expect(await left.value(ifCancelled: false))
        }
    }

    @Test(arguments: [Ending.stopped, .released, .cancelled])
    func `a body that is no longer wanted closes its connection at once`(ending: Ending) async throws {
        let left = OneShot<Bool>()
        let server = endlessServer(left)
        defer { server.stop() }
        try await withClient { client async throws in
            let began = OneShot<Bool>()
            let reading = Task {
                let response = try await client.send(OutgoingRequest(.get, server.url), by: soon())
                _ = try await response.body.next()
                began.settle(true)
                switch ending {
                case .stopped:
                    response.body.stop()
                    await #expect(throws: TransferError.cancelled) { try await response.body.next() }
                    try await Task.sleep(for: .seconds(8))
                case .released: break
                case .cancelled: for try await _ in response.body {}
                }
            }
            _ = await began.value(ifCancelled: false)
            if ending == .cancelled { reading.cancel() }
            #expect(await left.value(ifCancelled: false))
            #expect(await eventually { client.transfers == 0 })
            reading.cancel()
        }
    }

    @Test func `a response that is kept and never read ends at its deadline`() async throws {
        let left = OneShot<Bool>()
        let server = endlessServer(left, pieces: .max)
        defer { server.stop() }
        try await withClient { client async throws in
            let deadline = Deadline(after: .milliseconds(200))
            let response = try await client.send(OutgoingRequest(.get, server.url), by: deadline)
            #expect(await left.value(ifCancelled: false))
            #expect(await eventually { client.transfers == 0 })
            #expect(response.status == 200)
        }
    }

    @Test func `many responses dropped unread leave no socket behind`() async throws {
        let server = endlessServer(OneShot<Bool>())
        defer { server.stop() }
        try await withClient(loops: 2) { client async throws in
            for _ in 0..<50 { _ = try await client.send(OutgoingRequest(.get, server.url), by: soon()) }
            #expect(await eventually { client.transfers == 0 && Loopback.sockets(atPort: server.port) == 0 })
        }
        #expect(server.accepted == 50)
    }

    /// Ways in which a reader loses interest.
    enum Ending: CaseIterable { case stopped, released, cancelled }

    private func endlessServer(_ left: OneShot<Bool>, pieces: Int = 1) -> RawServer {
        RawServer { connection in
            _ = connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\n\r\nfirst")
            var sent = 1
            while sent < pieces, connection.send(String(repeating: "x", count: 1000)) { sent += 1 }
            if connection.waitForClientToLeave() || pieces > 1 { left.settle(true) }
        }
    }
}
