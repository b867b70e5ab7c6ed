import Conversation
import Runtime

/// What became of one message of a batch.
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

    /// Whether it has a reply.
    var isAnswered: Bool { (try? result.get()) != nil }

    /// What becomes of a message that stands under the same name in the same batch.
    func again(as other: IncomingMessage) -> DelayedResult {
        guard other.fingerprint == message.fingerprint else { return DelayedResult(other, .failure(.keyReused)) }
        guard isAnswered else { return DelayedResult(other, result) }
        return DelayedResult(replaying: result, to: other)
    }

    /// Throws what is true of the batch as a whole: nobody knows the patient, or nobody waits any more.
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
