/// Reasons why the server cannot start or send.
package enum HTTPServingError: Error, Equatable {
    /// The address cannot be listened on; the reason is the system's.
    case cannotListen(host: String, port: Int, reason: String)
    /// The client closed its connection or exceeded the write deadline.
    case peerGone
}

extension HTTPServingError: CustomStringConvertible {
    /// A sentence for the operator.
    package var description: String {
        switch self {
        case .cannotListen(let host, let port, let reason): "Nothing can listen on \(host), port \(port): \(reason)."
        case .peerGone: "The client went away."
        }
    }
}
