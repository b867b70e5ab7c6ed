/// The limits and the ways of an ``HTTPClient``.
package struct HTTPClientSettings: Sendable {
    /// The most transfers in flight, and so the most connections in use; one more is refused.
    package var transfers = 4096
    /// How many connections a shard keeps open while idle; there are `shardsPerLoop` shards on each loop.
    package var idleConnectionsPerShard = 64
    /// How many multi handles each loop has.
    ///
    /// Curl's work in one grows with its connections, so that many are cheaper.
    package var shardsPerLoop = 16
    /// The most time that making a connection may take, keys included.
    package var connectTime: Duration = .seconds(3)
    /// How many bytes of a body may wait for its reader before the peer is held back.
    package var bufferedBytes = 256 << 10
    /// The most bytes of an answer's head; curl's own limit on one line is 100 KiB.
    package var headBytes = 64 << 10
    /// A file of certificates (PEM) that are trusted besides the system's.
    package var extraCertificates: String?
    /// Which requests go through a proxy.
    package var proxy = ProxySettings()
    /// The `User-Agent` of requests that do not bring their own.
    package var userAgent = "hearth"

    /// The usual settings, with the proxy that the environment asks for.
    package init() {}
}
