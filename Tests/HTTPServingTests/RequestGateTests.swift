import Testing

@testable import HTTPServing

/// The gate as a value: what it lets through does not depend on how the bytes arrive.
struct RequestGateTests {
    static let requests = [
        "GET /a HTTP/1.1\r\nHost: a\r\n\r\n",
        "\r\nGET /a?b=c HTTP/1.1\r\nHost: a\r\nX: y\r\n\r\n",
        "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello",
        "POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5;x\r\nhello\r\n3\r\n, w\r\n0\r\nA: b\r\n\r\n",
    ]

    static let wires = [
        "GET /a HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /a?b=c HTTP/1.1\r\nHost: a\r\nX: y\r\n\r\n",
        "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello",
        "POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n8\r\nhello, w\r\n0\r\n\r\n",
    ]

    @Test(arguments: zip(requests, wires))
    func `a request comes through the same wherever its bytes are split`(_ request: String, _ wire: String) {
        let bytes = [UInt8](request.utf8)
        for split in 0...bytes.count {
            var gate = RequestGate(limits: HTTPLimits())
            gate.receive(bytes[..<split])
            let early = gate.wire()
            #expect((early == nil) == (split < bytes.count))
            gate.receive(bytes[split...])
            #expect((early ?? gate.wire()) == wire)
            #expect(gate.wire() == nil)
            #expect(gate.count == 0)
        }
    }

    @Test func `requests that arrive together come through one by one`() {
        var gate = RequestGate(limits: HTTPLimits())
        for _ in 0..<500 { gate.receive([UInt8](Self.requests.joined().utf8)) }
        for _ in 0..<500 {
            for wire in Self.wires { #expect(gate.wire() == wire) }
        }
        #expect(gate.wire() == nil)
    }

    @Test func `a target in absolute form and tabs are made plain`() {
        var gate = RequestGate(limits: HTTPLimits())
        gate.receive([UInt8]("GET http://b/c HTTP/1.0\r\nHost:\ta\t\r\nX: y\tz\r\n\r\n".utf8))
        #expect(gate.wire() == "GET /c HTTP/1.0\r\nHost: a \r\nX: y z\r\n\r\n")
    }

    @Test func `the body's limit is asked for once the head is whole and not before`() {
        var gate = RequestGate(limits: HTTPLimits())
        var asked: [String] = []
        let limit: (RequestHead) -> Int = { head in
            asked.append(head.target.path)
            return 4
        }
        gate.receive([UInt8]("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r".utf8))
        _ = gate.next(bodyLimit: limit)
        #expect(asked.isEmpty)
        gate.receive([UInt8]("\n".utf8))
        guard case .refused(.bodyTooLarge(limit: 4)) = gate.next(bodyLimit: limit) else {
            Issue.record("the body was not refused")
            return
        }
        #expect(asked == ["/a"])
    }

    @Test func `nothing comes through after a refusal, and what comes is not kept`() {
        var gate = RequestGate(limits: HTTPLimits())
        gate.receive([UInt8]("nonsense\r\n\r\n".utf8))
        for _ in 0..<3 {
            guard case .refused(.badRequestLine) = gate.next(bodyLimit: { _ in 0 }) else {
                Issue.record("the request was not refused")
                return
            }
            let count = gate.count
            gate.receive([UInt8](Self.requests[0].utf8))
            #expect(gate.count == count)
        }
    }

    @Test func `it says how much of a request has arrived`() {
        var gate = RequestGate(limits: HTTPLimits())
        let stages: [(String, String)] = [
            ("", "nothing"), ("P", "head"), ("OST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n", "body"),
            ("h", "body"), ("i", "nothing"),
        ]
        for (text, stage) in stages {
            gate.receive([UInt8](text.utf8))
            _ = gate.wire()
            #expect("\(gate.progress)".hasPrefix(stage))
        }
    }

    @Test func `a body in tiny chunks takes no more room than its data`() {
        var gate = RequestGate(limits: HTTPLimits())
        gate.receive([UInt8]("POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n".utf8))
        _ = gate.wire()
        let head = gate.count
        for _ in 0..<10_000 {
            gate.receive([UInt8]("1\r\nx\r\n".utf8))
            _ = gate.wire()
            #expect(gate.count <= head + 8)
        }
        gate.receive([UInt8]("0\r\n\r\n".utf8))
        #expect(gate.wire()?.hasSuffix("2710\r\n" + String(repeating: "x", count: 10_000) + "\r\n0\r\n\r\n") == true)
    }
}

extension RequestGate {
    /// The bytes of the next request, when it is whole.
    fileprivate mutating func wire() -> String? {
        guard case .whole(_, let wire) = next(bodyLimit: { _ in 1 << 16 }) else { return nil }
        return String(decoding: wire, as: UTF8.self)
    }
}
