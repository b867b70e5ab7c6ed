import Testing

@testable import Models

/// Reading a stream of events, however it is cut into pieces.
struct ServerSentEventsTests {
    @Test(arguments: [
        ("data: a\n\n", ["a"]),
        ("data: a\r\n\r\n", ["a"]),
        ("data: a\r\r", ["a"]),
        ("data:a\n\n", ["a"]),
        ("data:  a\n\n", [" a"]),
        ("data: a\ndata: b\n\n", ["a\nb"]),
        ("data: a\r\ndata: b\r\n\r\ndata: c\r\n\r\n", ["a\nb", "c"]),
        ("data\n\n", [""]),
        ("data: \n\n", [""]),
        (": keep-alive\n\n", []),
        (":\n\n:\n\ndata: a\n\n", ["a"]),
        (": processing\ndata: a\n\n", ["a"]),
        ("id: 1\nretry: 5\nunknown: x\ndata: a\n\n", ["a"]),
        ("\n\n\ndata: a\n\n\n\n", ["a"]),
        ("\u{FEFF}data: a\n\n", ["a"]),
        ("data: a: b\n\n", ["a: b"]),
        ("data: [DONE]\n\n", ["[DONE]"]),
        ("data: ü🌞\n\n", ["ü🌞"]),
        ("data: a\n", []),
        ("data: a", []),
        ("event: x\n\n", []),
        ("", []),
    ])
    func `events are read the same whatever the pieces`(stream: String, expected: [String]) throws {
        let bytes = Array(stream.utf8)
        for size in 1...max(1, bytes.count) {
            var reader = ServerSentEvents(limit: 1000)
            var data: [String] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                let piece = Array(bytes[start..<min(start + size, bytes.count)])
                let events = try piece.withUnsafeBytes { try reader.append($0) }
                data += events.map { String(decoding: $0.data, as: UTF8.self) }
            }
            #expect(data == expected, "in pieces of \(size)")
        }
    }

    @Test func `an event has its name and the next has none of it`() throws {
        var reader = ServerSentEvents(limit: 1000)
        let stream = Array("event: ping\ndata: 1\n\ndata: 2\n\n".utf8)
        let events = try stream.withUnsafeBytes { try reader.append($0) }
        #expect(events.map(\.name) == ["ping", ""])
    }

    @Test(arguments: [
        ("data: " + String(repeating: "x", count: 94), false),
        ("data: " + String(repeating: "x", count: 95), true),
        (": " + String(repeating: "x", count: 99), true),
        (String(repeating: "data: 0123456789\n", count: 6), false),
        (String(repeating: "data: 0123456789\n", count: 12), true),
    ])
    func `a line or an event over the limit is refused before it ends`(stream: String, isTooLong: Bool) {
        var reader = ServerSentEvents(limit: 100)
        let thrown = Array(stream.utf8).withUnsafeBytes { bytes -> ServerSentEvents.TooLong? in
            do throws(ServerSentEvents.TooLong) {
                _ = try reader.append(bytes)
                return nil
            } catch {
                return error
            }
        }
        #expect(thrown == (isTooLong ? ServerSentEvents.TooLong(limit: 100) : nil))
    }
}
