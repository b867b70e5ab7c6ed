/// Why the server could not start or could not send.
package enum HTTPServingError: Error, Equatable {
    /// The address cannot be listened on; the reason is the system's.
    case cannotListen(host: String, port: Int, reason: String)
    /// The client closed its connection, or took longer than the write deadline to read.
    case peerGone
}
