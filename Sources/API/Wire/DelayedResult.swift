import Conversation
import Runtime

/// The result of one message of a batch.
struct DelayedResult {
    private let message: IncomingMessage
    private let result: Result<Answer, Refusal>
    private let isReplay: Bool

    init(_ message: IncomingMessage, _ result: Result<Answer, Refusal>) {
        self.message = message
        self.result = result
        isReplay = (try? result.get())?.isReplay ?? false
    }

    private init(replaying result: Result<Answer, Refusal>, to message: IncomingMessage) {
        self.message = message
        self.result = result
        isReplay = true
    }

    /// True when the message has a reply.
    var isAnswered: Bool { (try? result.get()) != nil }

    /// Returns the result for a repetition of this message in the same batch.
    func again(as other: IncomingMessage) -> DelayedResult {
        guard other.fingerprint == message.fingerprint else { return DelayedResult(other, .failure(.keyReused)) }
        guard isAnswered else { return DelayedResult(other, result) }
        return DelayedResult(replaying: result, to: other)
    }

    /// Throws an error that concerns the whole batch: an unknown patient or a disconnected caller.
    func throwIfWhole() throws(Refusal) {
        guard case .failure(let refusal) = result else { return }
        switch refusal {
        case .unknownPatient, .cancelled: throw refusal
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
