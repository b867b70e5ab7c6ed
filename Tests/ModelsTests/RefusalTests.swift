import Foundation
import Runtime
import Testing

@testable import Models

/// Facts kept of a provider's refusal.
struct RefusalTests {
    @Test(
        arguments: [
            (["Retry-After": "7"], Duration.seconds(7)),
            (["retry-after": "0"], .zero),
            (["Retry-After": "1.5"], .milliseconds(1500)),
            (["Retry-After": "Sat, 21 Nov 2026 08:00:30 GMT"], .seconds(30)),
            (["Retry-After": "Sat, 21 Nov 2026 07:00:00 GMT"], .zero),
            (["Retry-After-Ms": "250", "Retry-After": "1"], .milliseconds(250)),
            (["Retry-After": "999999999"], .seconds(3600)),
            (["Retry-After": "1e300"], .seconds(3600)),
            (["Retry-After": "-5"], .zero),
            (["Retry-After": "soon"], nil),
            (["Retry-After": ""], nil),
            (["Retry-After": "nan"], nil),
            (["Retry-After": "inf"], nil),
            (["Retry-After": "21 Nov 2026"], nil),
            ([:], nil),
        ] as [([String: String], Duration?)]
    )
    func `how long to leave the provider alone`(fields: [String: String], expected: Duration?) throws {
        var headers = HeaderFields()
        for (name, value) in fields { headers.add(name, value) }
        let now = try #require(ISO8601DateFormatter().date(from: "2026-11-21T08:00:00Z"))
        #expect(RetryAfter.duration(in: headers, now: now) == expected)
    }

    @Test(arguments: [
        (#"{"error":{"type":"rate_limit_error","message":"m"}}"#, "rate_limit_error"),
        (#"{"type":"error","error":{"type":"overloaded_error","message":"m"}}"#, "overloaded_error"),
        (#"{"error":{"message":"m","type":null,"code":"model_not_found"}}"#, "model_not_found"),
        (#"{"error":{"message":"m","code":503}}"#, "503"),
        (#"{"error":{"message":"m"}}"#, "error"),
        (#"{"error":"I fell, said the patient"}"#, "error"),
        (#"{"error":{"type":"I fell: ü\n"}}"#, "I_fell____"),
        (#"{"error":null}"#, ""),
        (#"{"detail":"I fell"}"#, ""),
        (#"["error"]"#, ""),
        ("<html>I fell</html>", ""),
        ("", ""),
    ])
    func `an error document is reduced to its word`(body: String, expected: String) {
        #expect(ProviderFailure.kind(in: Array(body.utf8)) == expected)
    }

    @Test func `a word without end is cut`() {
        let body = #"{"error":{"type":"\#(String(repeating: "x", count: 1000))"}}"#
        #expect(ProviderFailure.kind(in: Array(body.utf8)).count == 64)
    }
}
