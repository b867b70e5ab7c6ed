/// The time from a transfer's start to each step; a skipped step is zero.
package struct TransferTimings: Sendable, Equatable {
    /// Until the host's address was known.
    package let nameLookup: Duration
    /// Until the connection was made.
    package let connect: Duration
    /// Until the TLS handshake was done; zero without TLS.
    package let secure: Duration
    /// Until the first response byte arrived.
    package let firstByte: Duration
    /// True if the request used an existing connection.
    package let reusedConnection: Bool

    /// Makes timings; omitted steps are zero.
    package init(
        nameLookup: Duration = .zero,
        connect: Duration = .zero,
        secure: Duration = .zero,
        firstByte: Duration = .zero,
        reusedConnection: Bool = false
    ) {
        self.nameLookup = nameLookup
        self.connect = connect
        self.secure = secure
        self.firstByte = firstByte
        self.reusedConnection = reusedConnection
    }
}
