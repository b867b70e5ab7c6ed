/// The server's report about a request after its response was sent.
package struct AnsweredRequest: Sendable {
    /// The pattern of the matched route; empty when none matched.
    package var pattern: String
    /// The method; nil when the request could not be read that far.
    package var method: HTTPMethod?
    /// The status of the response.
    package var status: Int
    /// The time from the request's first byte until the kernel took the response's last byte.
    package var duration: Duration
    /// The number of body bytes in the response.
    package var bytes: Int
}
