import Conversation
import HTTPClient

extension ModelError {
    /// What a failed transfer means to whoever asked a model.
    ///
    /// - Parameter pieces: How many pieces of the reply came before; nil when the provider had not begun to answer.
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
