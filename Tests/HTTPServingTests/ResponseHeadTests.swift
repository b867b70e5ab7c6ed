import Foundation
import Runtime
import Testing

@testable import HTTPServing

/// The bytes with which an answer begins.
struct ResponseHeadTests {
    private static let response = HTTPResponse(status: 201, headers: HeaderFields(["X-A": "1", "X-A": "2"]))

    @Test func `a head has the status, the date, the handler's fields in order and the length`() {
        let head = Self.response.head(minorVersion: 1, framing: .length(7), closes: false, date: "D")
        let wanted = "HTTP/1.1 201 Created\r\nDate: D\r\nX-A: 1\r\nX-A: 2\r\nContent-Length: 7\r\n\r\n"
        #expect(String(decoding: head, as: UTF8.self) == wanted)
    }

    @Test func `a chunked answer, one without a length and one that closes say so`() {
        let chunked = Self.response.head(minorVersion: 1, framing: .chunked, closes: true, date: "D")
        #expect(
            String(decoding: chunked, as: UTF8.self).hasSuffix(
                "\r\nX-A: 2\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
            )
        )
        let bare = Self.response.head(minorVersion: 0, framing: .none, closes: false, date: "D")
        #expect(String(decoding: bare, as: UTF8.self) == "HTTP/1.0 201 Created\r\nDate: D\r\nX-A: 1\r\nX-A: 2\r\n\r\n")
    }

    @Test func `every byte that could end a line early is a space, and a status without a phrase has one`() {
        let value = String(decoding: (UInt8(0)..<32).map { $0 } + [127], as: UTF8.self)
        let response = HTTPResponse(status: 299, headers: HeaderFields(["X": value]))
        let head = String(
            decoding: response.head(minorVersion: 1, framing: .none, closes: false, date: "D"),
            as: UTF8.self
        )
        let spaces = String(repeating: " ", count: 9) + "\t" + String(repeating: " ", count: 23)
        #expect(head == "HTTP/1.1 299 Status\r\nDate: D\r\nX: \(spaces)\r\n\r\n")
    }

    @Test func `the date is in the form of RFC 9110, for every second`() {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "UTC")
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        var (date, random) = (DateField(), SeededGenerator(seed: 5))
        #expect(date.text(at: 784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
        for _ in 0..<2_000 {
            let second = Int.random(in: 0..<4_102_444_800, using: &random)
            let wanted = formatter.string(from: Date(timeIntervalSince1970: Double(second)))
            #expect(date.text(at: second) == wanted)
            #expect(date.text(at: second) == wanted)
        }
    }
}
