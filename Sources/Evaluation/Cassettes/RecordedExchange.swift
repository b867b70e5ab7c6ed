import Cryptography
import Foundation
import HTTPClient
package import Runtime

/// A request and its answer as they are kept: only what is on the list, so that no secret can be in a file.
///
/// Of a request the method, the path, the content's type and the body are kept; of an answer the status, three header
/// fields and the bytes with their times. Hosts, ports, keys and cookies have no place here, and no part in the key.
package struct RecordedExchange: Sendable, Equatable {
    /// The form of a recording.
    package static let currentSchema = 1
    private static let answerFields = ["Content-Type", "Retry-After", "Retry-After-Ms"]

    /// A piece of the answer.
    package struct Piece: Sendable, Equatable {
        /// Milliseconds from the request to its arrival.
        package var at: Double
        /// The bytes as text where they are UTF-8.
        package var text: String?
        /// The bytes in base64 where they are not.
        package var base64: String?

        init(at: Double, _ bytes: [UInt8]) {
            self.at = at
            text = String(validating: bytes, as: UTF8.self)
            base64 = text == nil ? Data(bytes).base64EncodedString() : nil
        }

        var bytes: [UInt8] { text.map { Array($0.utf8) } ?? Array(Data(base64Encoded: base64 ?? "") ?? Data()) }
    }

    /// The request's method.
    package var method: String
    /// The request's path without host and query.
    package var path: String
    /// The request's body: as JSON where it is that.
    package var body: JSONValue
    /// The answer's status.
    package var status: Int
    /// The answer's header fields that are on the list.
    package var headers: [String: String]
    /// Milliseconds from the request to the answer's head.
    package var headAt: Double
    /// The answer's bytes.
    package var pieces: [Piece]
    /// Whether the answer ended before it was whole.
    package var isCutOff: Bool

    init(_ request: OutgoingRequest) {
        method = request.method.rawValue
        path = Self.path(of: request.url)
        let text = String(decoding: request.body, as: UTF8.self)
        body = (JSONValue(parsing: text) ?? .string(text)).canonical
        status = 0
        headers = [:]
        headAt = 0
        pieces = []
        isCutOff = false
    }

    mutating func answer(_ head: ResponseHead, at milliseconds: Double) {
        status = head.status
        headAt = milliseconds
        for field in Self.answerFields { headers[field] = head.headers[field] }
    }

    /// What finds it again: method, path and the body in canonical form, as SHA-256.
    package var key: String {
        Digest.sha256("\(method) \(path)\n\(body.canonical.text)").hex
    }

    private static func path(of url: String) -> String {
        guard let scheme = url.range(of: "://") else { return url }
        let rest = url[scheme.upperBound...]
        guard let slash = rest.firstIndex(of: "/") else { return "/" }
        return String(rest[slash...].prefix { $0 != "?" && $0 != "#" })
    }
}
