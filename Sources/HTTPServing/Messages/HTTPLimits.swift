/// The limits of the server for sizes, times and concurrency.
package struct HTTPLimits: Sendable {
    /// The maximum length of a request line in bytes, without its line end; a longer one gets 414.
    package var requestLineBytes = 8 << 10
    /// The maximum size of a head in bytes, from request line to empty line; a larger one gets 431.
    package var headBytes = 16 << 10
    /// The maximum number of header fields of a request, at least 1; more get 431.
    package var headerFields = 100
    /// The default maximum size of a body in bytes, for routes without their own limit; a larger one gets 413.
    package var bodyBytes = 64 << 10
    /// The number of bytes that a client may send ahead while a response is pending; more stay in the kernel.
    package var pipelinedBytes = 64 << 10
    /// The maximum number of connections of the process; a further one gets 503 and is closed.
    package var connections = 10_000
    /// The maximum number of requests in progress; a further one gets 503 with `Retry-After`.
    package var requestsInFlight = 4_096
    /// The time limit from a request's first byte to its complete head; then 408.
    package var headTime = Duration.seconds(10)
    /// The time limit from the end of the head to the complete body; then 408.
    package var bodyTime = Duration.seconds(15)
    /// The time after which a connection without a request is closed.
    package var idleTime = Duration.seconds(60)
    /// The time limit for a client to read a response, or one chunk of a stream, before it is disconnected.
    package var writeTime = Duration.seconds(10)
    /// The time for which a refused client's bytes are read and dropped, so that it receives the refusal.
    package var lingerTime = Duration.seconds(1)

    package init() {}
}
