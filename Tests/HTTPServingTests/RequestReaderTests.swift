import Runtime
import Testing

@testable import HTTPServing

/// The reader of requests as a value: what it reads does not depend on how the bytes arrive.
struct RequestReaderTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let bytes: String
        let target: String
        let headers: [String]
        let body: String

        var testDescription: String { bytes.debugDescription }
    }

    static let cases = [
        Case(bytes: "GET /a HTTP/1.1\r\nHost: a\r\n\r\n", target: "/a", headers: ["Host: a"], body: ""),
        Case(
            bytes: "\r\nGET /a%20b?c=d HTTP/1.1\r\nHost:a\r\nX: \t y z \t\r\nX: é\r\n\r\n",
            target: "/a b c=d",
            headers: ["Host: a", "X: y z", "X: é"],
            body: ""
        ),
        Case(
            bytes: "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello",
            target: "/a",
            headers: ["Host: a", "Content-Length: 5"],
            body: "hello"
        ),
        Case(
            bytes: "POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "5;x\r\nhello\r\n3\r\n, w\r\n0\r\nA: b\r\n\r\n",
            target: "/a",
            headers: ["Host: a", "Transfer-Encoding: chunked"],
            body: "hello, w"
        ),
        Case(
            bytes: "GET http://b/c HTTP/1.0\r\nHost:\ta\t\r\nEmpty:\r\n\r\n",
            target: "/c",
            headers: ["Host: a", "Empty: "],
            body: ""
        ),
    ]

    @Test(arguments: cases)
    func `a request is read the same wherever its bytes are split`(_ wanted: Case) {
        let bytes = [UInt8](wanted.bytes.utf8)
        for split in 0...bytes.count {
            var reader = RequestReader(limits: HTTPLimits())
            reader.receive(bytes[..<split])
            let early = reader.request()
            #expect((early == nil) == (split < bytes.count))
            reader.receive(bytes[split...])
            #expect((early ?? reader.request()) == wanted.text)
            #expect(reader.request() == nil)
            #expect(reader.count == 0)
        }
    }

    @Test func `requests that arrive together are read one by one`() {
        var reader = RequestReader(limits: HTTPLimits())
        for _ in 0..<500 { reader.receive([UInt8](Self.cases.map(\.bytes).joined().utf8)) }
        for _ in 0..<500 {
            for wanted in Self.cases { #expect(reader.request() == wanted.text) }
        }
        #expect(reader.request() == nil)
    }

    @Test func `the route is asked for once, when the head is whole, and limits the body`() {
        var reader = RequestReader(limits: HTTPLimits())
        var asked: [String] = []
        let match: (RequestHead) -> Router.Match = { head in
            asked.append(head.target.path)
            return Self.route(bodyLimit: 4)
        }
        reader.receive([UInt8]("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r".utf8))
        _ = reader.next(matching: match)
        #expect(asked.isEmpty)
        for piece in ["\n", "1", "2", "34POST /b HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n"] {
            reader.receive([UInt8](piece.utf8))
            _ = reader.next(matching: match)
        }
        #expect(asked == ["/a"])
        guard case .refused(.bodyTooLarge(limit: 4)) = reader.next(matching: match) else {
            Issue.record("the body was not refused")
            return
        }
        #expect(asked == ["/a", "/b"])
    }

    @Test func `nothing is read after a refusal, and what comes is not kept`() {
        var reader = RequestReader(limits: HTTPLimits())
        reader.receive([UInt8]("nonsense\r\n\r\n".utf8))
        for _ in 0..<3 {
            guard case .refused(.badRequestLine) = reader.next(matching: { _ in .notFound }) else {
                Issue.record("the request was not refused")
                return
            }
            let count = reader.count
            reader.receive([UInt8](Self.cases[0].bytes.utf8))
            #expect(reader.count == count)
        }
    }

    @Test func `it says how much of a request has arrived`() {
        var reader = RequestReader(limits: HTTPLimits())
        let stages: [(String, String)] = [
            ("", "nothing"), ("P", "head"), ("OST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n", "body"),
            ("h", "body"), ("i", "nothing"),
        ]
        for (text, stage) in stages {
            reader.receive([UInt8](text.utf8))
            _ = reader.request()
            #expect("\(reader.progress)".hasPrefix(stage))
        }
    }

    @Test func `a body in tiny chunks takes no more room than its data`() {
        var reader = RequestReader(limits: HTTPLimits())
        reader.receive([UInt8]("POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n".utf8))
        _ = reader.request()
        let head = reader.count
        for _ in 0..<10_000 {
            reader.receive([UInt8]("1\r\nx\r\n".utf8))
            _ = reader.request()
            #expect(reader.count <= head + 8)
        }
        reader.receive([UInt8]("0\r\n\r\n".utf8))
        #expect(reader.request()?.hasSuffix("\n" + String(repeating: "x", count: 10_000)) == true)
    }

    fileprivate static func route(bodyLimit: Int) -> Router.Match {
        .found({ _ in HTTPResponse(status: 200) }, parameters: [:], pattern: "", bodyLimit: bodyLimit)
    }
}

extension RequestReaderTests.Case {
    fileprivate var text: String { ([target] + headers + [body]).joined(separator: "\n") }
}

extension RequestReader {
    /// The path, query, header fields and body of the next request, when it is whole.
    fileprivate mutating func request() -> String? {
        let verdict = next { _ in RequestReaderTests.route(bodyLimit: 1 << 16) }
        guard case .whole(let head, .found, let body) = verdict else { return nil }
        let target = [head.target.path] + head.target.query.map { "\($0.name)=\($0.value)" }
        let headers = head.headers.all.map { "\($0.name): \($0.value)" }
        return ([target.joined(separator: " ")] + headers + [String(decoding: body, as: UTF8.self)])
            .joined(separator: "\n")
    }
}
