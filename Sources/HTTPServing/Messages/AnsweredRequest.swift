/// What the server tells of a request once its answer has been sent.
package struct AnsweredRequest: Sendable {
    /// The pattern of the route that answered; empty when none did.
    package var pattern: String
    /// The method; nil when the request could not be read that far.
    package var method: HTTPMethod?
    /// The status of the answer.
    package var status: Int
    /// From the request's first byte until the answer's last byte was given to the kernel.
    package var duration: Duration
    /// How many bytes of body were answered.
    package var bytes: Int
}
