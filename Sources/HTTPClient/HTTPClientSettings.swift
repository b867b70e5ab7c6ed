/// The limits and options of an ``HTTPClient``.
package struct HTTPClientSettings: Sendable {
    /// The maximum number of transfers in flight; further requests are refused.
    package var transfers = 4096
    /// The number of idle connections that a shard keeps; each loop has `shardsPerLoop` shards.
    package var idleConnectionsPerShard = 64
    /// The number of multi handles on each loop.
    ///
    /// Curl's cost per multi handle grows with its connections, so several cost less.
    package var shardsPerLoop = 16
    /// The time limit for connecting, including the TLS handshake.
    package var connectTime: Duration = .seconds(3)
    /// The number of body bytes that may wait for the reader before the transfer pauses.
    package var bufferedBytes = 256 << 10
    /// The maximum size of a response head in bytes; curl limits one line to 100 KiB.
    package var headBytes = 64 << 10
    /// A PEM file of certificates that are trusted besides the system's.
    package var extraCertificates: String?
    /// The rules for using a proxy.
    package var proxy = ProxySettings()
    /// The `User-Agent` of requests that set none.
    package var userAgent = "hearth"

    /// Makes the default settings, with the proxy from the environment.
    package init() {}
}
