import Conversation
import HTTPClient

extension ModelError {
    /// Translates a failed transfer into a model error.
    ///
    /// - Parameter pieces: The number of reply pieces before the failure; nil when no response had begun.
    init(_ error: TransferError, afterPieces pieces: Int? = nil) {
        self =
            switch error {
            case .timedOut(let time, _): .timedOut(after: time)
            case .cancelled: .cancelled
            case .tooManyTransfers(let limit): .overloaded(inFlight: limit)
            case .connectionLost: pieces.map { .cutOff(pieces: $0) } ?? .unreachable(reason: "connection lost")
            case .malformed(let reason): .malformed(reason: reason)
            case .headTooLarge(let limit), .bodyTooLarge(let limit): .malformed(reason: "longer than \(limit) bytes")
            default: .unreachable(reason: "\(error)")
            }
    }
}
