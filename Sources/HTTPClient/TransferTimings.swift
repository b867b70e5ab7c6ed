/// When a transfer reached each of its steps, counted from its start; a step that was not needed is zero.
package struct TransferTimings: Sendable, Equatable {
    /// The host's address was known.
    package let nameLookup: Duration
    /// The connection was made.
    package let connect: Duration
    /// Keys were agreed on; zero without TLS.
    package let secure: Duration
    /// The first byte of the answer arrived.
    package let firstByte: Duration
    /// Whether the request went out on a connection that was there already.
    package let reusedConnection: Bool

    /// Makes timings; every step unneeded unless given.
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
