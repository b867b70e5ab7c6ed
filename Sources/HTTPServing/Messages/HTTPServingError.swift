/// Why the server could not start or could not send.
package enum HTTPServingError: Error, Equatable {
    /// The address cannot be listened on; the reason is the system's.
    case cannotListen(host: String, port: Int, reason: String)
    /// The client closed its connection, or took longer than the write deadline to read.
    case peerGone
}

extension HTTPServingError: CustomStringConvertible {
    /// The error as a sentence for the operator.
    package var description: String {
        switch self {
        case .cannotListen(let host, let port, let reason): "Nothing can listen on \(host), port \(port): \(reason)."
        case .peerGone: "The client went away."
        }
    }
}
