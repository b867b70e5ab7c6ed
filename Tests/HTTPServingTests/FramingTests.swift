import TestSupport
import Testing

/// Requests about whose end two servers could disagree, and bytes that are no request: each is refused and the
/// connection closed, so that nothing behind it is taken for a request.
@Suite(.timeLimit(.minutes(1)))
struct FramingTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let bytes: String
        let status: Int

        init(_ name: String, _ status: Int, _ bytes: String) {
            self.name = name
            self.status = status
            self.bytes = bytes
        }

        var testDescription: String { name }
    }

    /// A request behind the refused one, which must not be answered.
    static let smuggled = "GET /echo/smuggled HTTP/1.1\r\nHost: a\r\n\r\n"

    static let lengths = [
        Case("a length and a coding", 400, post("Content-Length: 5\r\nTransfer-Encoding: chunked", "0\r\n\r\n")),
        Case("a coding and a length", 400, post("Transfer-Encoding: chunked\r\nContent-Length: 5", "0\r\n\r\n")),
        Case("two equal lengths", 400, post("Content-Length: 5\r\nContent-Length: 5", "hello")),
        Case("two different lengths", 400, post("Content-Length: 5\r\nContent-Length: 6", "hello")),
        Case("two lengths in other cases", 400, post("content-length: 5\r\nCONTENT-LENGTH: 5", "hello")),
        Case("a list of equal lengths", 400, post("Content-Length: 5, 5", "hello")),
        Case("a negative length", 400, post("Content-Length: -5", "hello")),
        Case("a length with a plus sign", 400, post("Content-Length: +5", "hello")),
        Case("a hexadecimal length", 400, post("Content-Length: 0x5", "hello")),
        Case("a length with a fraction", 400, post("Content-Length: 5.0", "hello")),
        Case("an empty length", 400, post("Content-Length:", "hello")),
        Case("a blank length", 400, post("Content-Length:  \t ", "hello")),
        Case("a length with a blank inside", 400, post("Content-Length: 1 5", "hello")),
        Case("a length with letters behind", 400, post("Content-Length: 5abc", "hello")),
        Case("a length beyond 64 bits", 400, post("Content-Length: 99999999999999999999999", "hello")),
        Case("a length that wraps to 5", 400, post("Content-Length: 18446744073709551621", "hello")),
        Case("the largest length that is read", 413, post("Content-Length: 999999999999999999", "hello")),
        Case("a HEAD request with a body", 400, "HEAD /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 40\r\n\r\n"),
        Case("a HEAD request with chunks", 400, "HEAD /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"),
    ]

    static let codings = [
        Case("an unknown coding", 501, post("Transfer-Encoding: gzip", "0\r\n\r\n")),
        Case("an unknown coding and chunks", 501, post("Transfer-Encoding: gzip, chunked", "0\r\n\r\n")),
        Case("chunks before another coding", 501, post("Transfer-Encoding: chunked, identity", "0\r\n\r\n")),
        Case("chunks twice", 501, post("Transfer-Encoding: chunked, chunked", "0\r\n\r\n")),
        Case("identity", 501, post("Transfer-Encoding: identity", "0\r\n\r\n")),
        Case("an empty coding", 501, post("Transfer-Encoding:", "0\r\n\r\n")),
        Case("a coding like chunked", 501, post("Transfer-Encoding: xchunked", "0\r\n\r\n")),
        Case("a quoted coding", 501, post("Transfer-Encoding: \"chunked\"", "0\r\n\r\n")),
        Case("two coding lines", 400, post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", "0\r\n\r\n")),
        Case("chunks in HTTP/1.0", 400, "POST /echo HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        Case("a coding with a control byte", 400, post("Transfer-Encoding: \u{b}chunked", "0\r\n\r\n")),
    ]

    static let chunks = [
        Case("a chunk size that is no number", 400, chunked("zz\r\nhello\r\n0\r\n\r\n")),
        Case("a negative chunk size", 400, chunked("-5\r\nhello\r\n0\r\n\r\n")),
        Case("a chunk size with a plus sign", 400, chunked("+5\r\nhello\r\n0\r\n\r\n")),
        Case("a chunk size with 0x", 400, chunked("0x5\r\nhello\r\n0\r\n\r\n")),
        Case("an empty chunk size", 400, chunked("\r\nhello\r\n0\r\n\r\n")),
        Case("a chunk size beyond 64 bits", 400, chunked("10000000000000005\r\nhello\r\n0\r\n\r\n")),
        Case("a chunk size of sixteen digits", 400, chunked("ffffffffffffffff\r\nhello\r\n0\r\n\r\n")),
        Case("a chunk size with a space before", 400, chunked(" 5\r\nhello\r\n0\r\n\r\n")),
        Case("a chunk size with a space behind", 400, chunked("5 \r\nhello\r\n0\r\n\r\n")),
        Case("a chunk size that ends in LF", 400, chunked("5\nhello\r\n0\r\n\r\n")),
        Case("a chunk extension that ends in LF", 400, chunked("5;a=b\nhello\r\n0\r\n\r\n")),
        Case("a chunk extension with a CR inside", 400, chunked("5;a\rb\r\nhello\r\n0\r\n\r\n")),
        Case("a chunk longer than its size", 400, chunked("3\r\nhello\r\n0\r\n\r\n")),
        Case("a chunk that ends in LF", 400, chunked("5\r\nhello\n0\r\n\r\n")),
        Case("a trailer without a colon", 400, chunked("0\r\nnonsense\r\n\r\n")),
        Case("a trailer with a space before its colon", 400, chunked("0\r\nA : b\r\n\r\n")),
        Case("a folded trailer", 400, chunked("0\r\nA: b\r\n c\r\n\r\n")),
        Case("a chunk over the limit", 413, chunked("10001\r\nhello")),
    ]

    static let lines = [
        Case("a folded field", 400, get("A: b\r\n c: d")),
        Case("a field folded with a tab", 400, get("A: b\r\n\tc")),
        Case("a fold before the first field", 400, "GET /echo HTTP/1.1\r\n Host: a\r\n\r\n"),
        Case("a space before the colon", 400, get("Content-Length : 5")),
        Case("a tab before the colon", 400, get("Content-Length\t: 5")),
        Case("a field without a colon", 400, get("nonsense")),
        Case("a field without a name", 400, get(": nothing")),
        Case("a field name with a quote", 400, get("A\"b: c")),
        Case("a field name beyond ASCII", 400, get("Ä: b")),
        Case("a NUL in a field's value", 400, get("A: b\0c")),
        Case("a NUL in a field's name", 400, get("A\0: b")),
        Case("a control byte in a value", 400, get("A: b\u{1}c")),
        Case("a DEL in a value", 400, get("A: b\u{7f}c")),
        Case("a bare CR in a value", 400, get("A: b\rContent-Length: 5")),
        Case("a bare LF between fields", 400, get("A: b\nContent-Length: 5")),
        Case("lines that end in LF", 400, "GET /echo HTTP/1.1\nHost: a\n\n"),
        Case("an empty line that ends in LF", 400, "GET /echo HTTP/1.1\r\nHost: a\r\n\n"),
        Case("no host", 400, "GET /echo HTTP/1.1\r\n\r\n"),
        Case("two hosts", 400, get("Host: b")),
        Case("a host with a path", 400, "GET /echo HTTP/1.1\r\nHost: a/b\r\n\r\n"),
        Case("a host with a blank", 400, "GET /echo HTTP/1.1\r\nHost: a b\r\n\r\n"),
        Case("an unknown expectation", 417, get("Expect: a-miracle")),
    ]

    static let requestLines = [
        Case("two spaces", 400, "GET  /echo HTTP/1.1\r\nHost: a\r\n\r\n"),
        Case("a tab between words", 400, "GET\t/echo HTTP/1.1\r\nHost: a\r\n\r\n"),
        Case("a space at the end", 400, "GET /echo HTTP/1.1 \r\nHost: a\r\n\r\n"),
        Case("a space at the front", 400, " GET /echo HTTP/1.1\r\nHost: a\r\n\r\n"),
        Case("a space in the target", 400, "GET /ec ho HTTP/1.1\r\nHost: a\r\n\r\n"),
        Case("two empty lines at the front", 400, "\r\n\r\nGET /echo HTTP/1.1\r\nHost: a\r\n\r\n"),
        Case("HTTP/0.9", 400, "GET /echo\r\n\r\n"),
        Case("HTTP/1.2", 505, "GET /echo HTTP/1.2\r\nHost: a\r\n\r\n"),
        Case("HTTP/2.0", 505, "GET /echo HTTP/2.0\r\nHost: a\r\n\r\n"),
        Case("the preface of HTTP/2", 505, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
        Case("a version of three parts", 400, "GET /echo HTTP/1.1.1\r\nHost: a\r\n\r\n"),
        Case("a version with a sign", 400, "GET /echo HTTP/+1.1\r\nHost: a\r\n\r\n"),
        Case("a version in lower case", 400, "GET /echo http/1.1\r\nHost: a\r\n\r\n"),
        Case("another protocol", 400, "OPTIONS /echo RTSP/1.0\r\nCSeq: 1\r\n\r\n"),
        Case("an unknown method", 501, "BREW /echo HTTP/1.1\r\nHost: a\r\n\r\n"),
        Case("a method in lower case", 501, "get /echo HTTP/1.1\r\nHost: a\r\n\r\n"),
        Case("CONNECT", 501, "CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n"),
        Case("TRACE", 501, "TRACE /echo HTTP/1.1\r\nHost: a\r\n\r\n"),
        Case("a method with a bracket", 400, "G(T /echo HTTP/1.1\r\nHost: a\r\n\r\n"),
        Case("a target without a slash", 400, "GET echo HTTP/1.1\r\nHost: a\r\n\r\n"),
        Case("a target with a fragment", 400, "GET /echo#a HTTP/1.1\r\nHost: a\r\n\r\n"),
        Case("a target that begins with two slashes", 400, "GET //echo HTTP/1.1\r\nHost: a\r\n\r\n"),
        Case("a target with a broken escape", 400, "GET /echo/%4 HTTP/1.1\r\nHost: a\r\n\r\n"),
        Case("a target with an escape of letters", 400, "GET /echo/%zz HTTP/1.1\r\nHost: a\r\n\r\n"),
        Case("a target with an escaped NUL", 400, "GET /echo/%00 HTTP/1.1\r\nHost: a\r\n\r\n"),
        Case("a target that is not UTF-8", 400, "GET /echo/%ff HTTP/1.1\r\nHost: a\r\n\r\n"),
        Case("a target with an overlong slash", 400, "GET /echo/%c0%af HTTP/1.1\r\nHost: a\r\n\r\n"),
        Case("a query with a broken escape", 400, "GET /echo?a=%4 HTTP/1.1\r\nHost: a\r\n\r\n"),
        Case("an absolute target without a path", 400, "GET http://a HTTP/1.1\r\nHost: a\r\n\r\n"),
        Case("an absolute target of another scheme", 400, "GET ftp://a/echo HTTP/1.1\r\nHost: a\r\n\r\n"),
        Case("garbage", 400, "\u{1}\u{2}\u{3}"),
        Case("the beginning of TLS", 400, "\u{16}\u{3}\u{1}\u{2}\0\u{1}\0\u{1}"),
        Case("words", 400, "hello there\r\n"),
    ]

    @Test(arguments: lengths + codings + chunks + lines + requestLines)
    func `an ambiguous or broken request is refused and nothing behind it is read`(_ refused: Case) async throws {
        try await TestServer.run { server in
            let client = try server.connect()
            try await client.send(refused.bytes + Self.smuggled)
            let text = try await client.receiveToEnd()
            #expect(text.hasPrefix("HTTP/1.1 \(refused.status) "))
            #expect(!text.dropFirst().contains("HTTP/1.1 200"), "what came behind was answered: \(text)")
            #expect(text.contains("\r\nX-Ours: yes\r\n"))
            #expect(text.contains("\r\nConnection: close\r\n"))
            #expect(try await server.isAlive())
        }
    }

    @Test(arguments: lengths + codings + chunks + lines + requestLines)
    func `it is refused as well when it arrives a byte at a time`(_ refused: Case) async throws {
        try await TestServer.run { server in
            let client = try server.connect()
            for byte in [UInt8](refused.bytes.utf8) {
                do { try await client.send([byte]) } catch { break }
            }
            let text = try await client.receiveToEnd()
            #expect(text.hasPrefix("HTTP/1.1 \(refused.status) "))
        }
    }

    private static func post(_ fields: String, _ body: String) -> String {
        "POST /echo HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n\(body)"
    }

    private static func chunked(_ body: String) -> String {
        post("Transfer-Encoding: chunked", body)
    }

    private static func get(_ fields: String) -> String {
        "GET /echo HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n"
    }
}
