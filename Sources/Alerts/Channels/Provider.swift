import Foundation
package import HTTPClient
import Runtime

/// Asks a provider something over HTTP, and sorts what may go wrong before it answers.
package struct Provider: Sendable {
    /// What a provider answered.
    struct Answer: Sendable {
        let status: Int
        let headers: HeaderFields
        let body: [UInt8]

        /// The body as a value; nil when it is none.
        func decoded<Value: Decodable>(_: Value.Type = Value.self) -> Value? {
            try? JSONDecoder().decode(Value.self, from: Data(body))
        }

        /// How long the provider asked to be left alone; nil when it did not say in seconds.
        var retryAfter: Duration? {
            headers["Retry-After"].flatMap { Int($0) }.map { .seconds(min(max(0, $0), 3600)) }
        }

        /// What a status says that means nothing special to the provider.
        ///
        /// After a 500, 502 or 504 nobody knows whether the message went out; a 408, 425, 429 or 503 says that it did not.
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

    /// Makes a provider that is asked through a client.
    package init(_ client: HTTPClient) {
        self.client = client
    }

    /// Sends a request and reads the whole answer, whatever its status.
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

    /// A POST of a value as JSON, its members in order of name.
    static func json(_ url: String, _ value: some Encodable, headers: HeaderFields = HeaderFields()) -> OutgoingRequest
    {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var headers = headers
        headers["Content-Type"] = "application/json; charset=utf-8"
        let body = (try? encoder.encode(value)).map { [UInt8]($0) } ?? []
        return OutgoingRequest(.post, url, headers: headers, body: body)
    }

    /// A POST of a form.
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
