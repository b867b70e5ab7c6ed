/// The bounds of the server: how much it takes, how long it waits and how many it serves at once.
package struct HTTPLimits: Sendable {
    /// The longest request line in bytes, without its line end; a longer one is 414.
    package var requestLineBytes = 8 << 10
    /// The largest head in bytes, from the request line to the empty line; a larger one is 431.
    package var headBytes = 16 << 10
    /// The most header fields of a request, 1 or more; one more is 431.
    package var headerFields = 100
    /// The largest body in bytes where a route sets no limit of its own; a larger one is 413.
    package var bodyBytes = 64 << 10
    /// How many bytes a client may have sent ahead of the answer it waits for; beyond that they stay in the kernel.
    package var pipelinedBytes = 64 << 10
    /// How many connections the process serves; one more is answered 503 and closed.
    package var connections = 10_000
    /// How many requests the process answers at once; one more is 503 with `Retry-After`.
    package var requestsInFlight = 4_096
    /// From a request's first byte until its head is whole, however the bytes trickle; then 408.
    package var headTime = Duration.seconds(10)
    /// From the end of the head until the body is whole; then 408.
    package var bodyTime = Duration.seconds(15)
    /// How long a connection may be without a request before it is closed.
    package var idleTime = Duration.seconds(60)
    /// How long a client may take to read an answer, or a chunk of a streamed one, before it is cut off.
    package var writeTime = Duration.seconds(10)
    /// How long a refused client's bytes are read and dropped, so that it can see the refusal before the connection ends.
    package var lingerTime = Duration.seconds(1)

    /// Makes the default limits.
    package init() {}
}
