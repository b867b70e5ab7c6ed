import Domain
import Runtime

/// The result of one message of a batch.
struct BatchMessageResult {
    private let message: IncomingMessage
    private let result: Result<Answer, APIError>
    private let isReplay: Bool

    init(_ message: IncomingMessage, _ result: Result<Answer, APIError>) {
        self.message = message
        self.result = result
        isReplay = (try? result.get())?.isReplay ?? false
    }

    private init(replaying result: Result<Answer, APIError>, to message: IncomingMessage) {
        self.message = message
        self.result = result
        isReplay = true
    }

    /// True when the message has a reply.
    var isAnswered: Bool { (try? result.get()) != nil }

    /// Returns the result for a repetition of this message in the same batch.
    func again(as other: IncomingMessage) -> BatchMessageResult {
        guard other.fingerprint == message.fingerprint else { return BatchMessageResult(other, .failure(.keyReused)) }
        guard isAnswered else { return BatchMessageResult(other, result) }
        return BatchMessageResult(replaying: result, to: other)
    }

    /// Throws an error that concerns the whole batch: an unknown or closed patient, or a disconnected caller.
    func throwIfBatchWide() throws(APIError) {
        guard case .failure(let refusal) = result else { return }
        switch refusal {
        case .unknownPatient, .closedPatient, .cancelled: throw refusal
        default: return
        }
    }

    func json(requestID: String) -> JSONValue {
        var status = 200
        var data = JSONValue.null
        var error = JSONValue.null
        switch result {
        case .success(let answer):
            data = answer.reply.elderCompanion
        case .failure(let refusal):
            let response = ErrorResponse(refusal)
            status = response.code.status
            error = response.details(requestID)
        }
        return [
            "message_id": .optional(message.name.key),
            "status": .integer(status),
            "replayed": .bool(isReplay),
            "data": data,
            "error": error,
        ]
    }
}
