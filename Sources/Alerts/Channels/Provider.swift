import Foundation
package import HTTPClient
import Runtime

/// Sends HTTP requests to a provider and classifies failures that occur before it answers.
package struct Provider: Sendable {
    /// A provider's response.
    struct Answer: Sendable {
        let status: Int
        let headers: HeaderFields
        let body: [UInt8]

        /// Decodes the body; nil when it does not have this form.
        func decoded<Value: Decodable>(_: Value.Type = Value.self) -> Value? {
            try? JSONDecoder().decode(Value.self, from: Data(body))
        }

        /// The wait that the provider requested; nil when it did not give one in seconds.
        var retryAfter: Duration? {
            headers["Retry-After"].flatMap { Int($0) }.map { .seconds(min(max(0, $0), 3600)) }
        }

        /// Maps a status without a special meaning for the provider to a failure.
        ///
        /// After a 500, 502 or 504 it is unknown whether the message was sent. A 408, 425, 429 or 503 means that it was
        /// not.
        func failure(_ reason: String) -> SendingFailure {
            switch status {
            case 408, 425, 429, 503: .unavailable(reason: reason, retryAfter: retryAfter)
            case 500...: .unknown(reason: reason)
            default: .refused(reason: reason)
            }
        }
    }

    private static let answerBytes = 256 << 10
    private let client: HTTPClient

    package init(_ client: HTTPClient) {
        self.client = client
    }

    /// Sends a request and reads the whole response, whatever its status.
    func ask(_ request: OutgoingRequest, by deadline: Deadline) async throws(SendingFailure) -> Answer {
        do throws(TransferError) {
            let response = try await client.send(request, by: deadline)
            let body = try await response.collect(upTo: Self.answerBytes)
            return Answer(status: response.status, headers: response.headers, body: body)
        } catch {
            switch error {
            case .cancelled: throw .cancelled
            case _ where error.mayHaveArrived: throw .unknown(reason: "\(error)")
            default: throw .unavailable(reason: "\(error)", retryAfter: nil)
            }
        }
    }

    /// Builds a POST of a value as JSON, with members in order of name.
    static func json(_ url: String, _ value: some Encodable, headers: HeaderFields = HeaderFields()) -> OutgoingRequest
    {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var headers = headers
        headers["Content-Type"] = "application/json; charset=utf-8"
        let body = (try? encoder.encode(value)).map { [UInt8]($0) } ?? []
        return OutgoingRequest(.post, url, headers: headers, body: body)
    }

    /// Builds a POST of a form.
    static func form(
        _ url: String,
        _ pairs: [(String, String)],
        headers: HeaderFields = HeaderFields()
    ) -> OutgoingRequest {
        var headers = headers
        headers["Content-Type"] = "application/x-www-form-urlencoded"
        return OutgoingRequest(.post, url, headers: headers, body: Array(FormBody.text(pairs).utf8))
    }
}

/// Encodes and decodes web form bodies (`application/x-www-form-urlencoded`, WHATWG URL Standard, section 5).
package enum FormBody {
    /// Encodes pairs in order; keeps letters, digits and `*-._`, and writes a space as `+`.
    package static func text(_ pairs: [(String, String)]) -> String {
        pairs.map { "\(escaped($0.0))=\(escaped($0.1))" }.joined(separator: "&")
    }

    /// Decodes pairs; returns nil for an invalid escape or bytes that are not UTF-8.
    package static func pairs(_ bytes: [UInt8]) -> [(String, String)]? {
        var pairs: [(String, String)] = []
        for part in bytes.split(separator: UInt8(ascii: "&")) {
            let halves = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = unescaped(halves[0]), let value = halves.count == 2 ? unescaped(halves[1]) : "" else {
                return nil
            }
            pairs.append((name, value))
        }
        return pairs
    }

    private static let digits = Array("0123456789ABCDEF".utf8)

    private static func escaped(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "*"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"):
                bytes.append(byte)
            case UInt8(ascii: " "): bytes.append(UInt8(ascii: "+"))
            default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func unescaped(_ text: ArraySlice<UInt8>) -> String? {
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(value), let low = rest.popFirst().flatMap(value) else {
                    return nil
                }
                bytes.append(high << 4 | low)
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
