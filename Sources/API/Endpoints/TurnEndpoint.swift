import Conversation
import HTTPServing
import Runtime

/// What every route that answers a turn does with its message.
struct TurnEndpoint: Sendable {
    /// What an answered message may be refused for, whatever its dialect.
    static let refusals: [ErrorCode] = [
        .patientNotFound, .idempotencyKeyReused, .turnInProgress, .messageTooLong, .rateLimited, .overloaded,
    ]

    let parts: APIParts

    /// Answers a message as a turn.
    ///
    /// - Parameter path: Where the body names the patient.
    func answer(
        _ message: IncomingMessage,
        for tenant: TenantID,
        in call: Call,
        patientAt path: String
    ) async throws(Refusal) -> Answer {
        let turn = try await admit(message, for: tenant, in: call, patientAt: path)
        do throws(TurnRefusal) {
            return try await parts.turns.answer(turn, by: call.deadline(parts.limits.turn))
        } catch {
            throw Refusal(error, patientAt: path)
        }
    }

    /// Answers a message as a turn, sentence by sentence.
    ///
    /// Returns when the first sentence may be spoken; what is refused before that is refused with a status.
    ///
    /// - Parameter path: Where the body names the patient.
    func stream(
        _ message: IncomingMessage,
        for tenant: TenantID,
        in call: Call,
        patientAt path: String,
        as events: any ReplyEvents
    ) async throws(Refusal) -> Outcome {
        let sentences = SentenceStream()
        let turn = try await admit(message, for: tenant, in: call, patientAt: path, sentences)
        let streamed = StreamedTurn(sentences, answering(turn, by: call.deadline(parts.limits.turn), patientAt: path))
        let first = try await streamed.first()
        call.ledger.record("first_sentence", from: call.ledger.start)
        var response = HTTPResponse(
            status: 200,
            headers: HeaderFields(["Content-Type": "text/event-stream; charset=utf-8"]),
            body: .stream { try await streamed.write(from: first, as: events, to: $0) }
        )
        if sentences.isRepeat { response.headers["Idempotent-Replayed"] = "true" }
        let known = sentences.beginning?.message ?? turn.id
        return Outcome(response, notes: ["message_id" ~ known.description, "streamed" ~ true])
    }

    private func answering(_ turn: Turn, by deadline: Deadline, patientAt path: String) -> StreamedTurn.Answering {
        Task(executorPreference: EventLoop.current) { [turns = parts.turns] in
            defer { turn.sentences?.end() }
            do throws(TurnRefusal) {
                let answer = try await turns.answer(turn, by: deadline)
                turn.sentences?.sayRest(of: answer.reply, isRepeat: answer.isReplay)
                return .success(answer)
            } catch {
                return .failure(Refusal(error, patientAt: path))
            }
        }
    }

    /// The outcome of an answered message.
    func outcome(_ answer: Answer, to message: IncomingMessage, _ body: JSONValue) -> Outcome {
        var outcome = Outcome.json(body, notes: Self.notes(answer, message))
        Self.mark(&outcome.response, answer)
        return outcome
    }

    /// Marks a reply that is given again.
    static func mark(_ response: inout HTTPResponse, _ answer: Answer) {
        if answer.isReplay { response.headers["Idempotent-Replayed"] = "true" }
    }

    /// What the log says of an answered message: never its words.
    static func notes(_ answer: Answer, _ message: IncomingMessage) -> [LogField] {
        let stripped = Transcript(message.text).strippedCharacters
        return ["message_id" ~ answer.reply.message.description, "replayed" ~ answer.isReplay]
            + (stripped > 0 ? ["control_characters" ~ stripped] : [])
    }

    /// A patient whom nobody knows is named before a time that cannot be: the records are asked only then.
    private func admit(
        _ message: IncomingMessage,
        for tenant: TenantID,
        in call: Call,
        patientAt path: String,
        _ sentences: SentenceStream? = nil
    ) async throws(Refusal) -> Turn {
        do throws(Refusal) {
            return try message.turn(
                for: tenant,
                under: call.key,
                receivedAt: call.date,
                sentences: sentences,
                ledger: call.ledger,
                parts.limits
            )
        } catch {
            switch error {
            case .inTheFuture, .tooOld:
                if await parts.isUnknown(message.patient, of: tenant, in: call) { throw .unknownPatient(path: path) }
                throw error
            default: throw error
            }
        }
    }
}

extension APIParts {
    /// Whether the records say that the tenant has no such patient; what they cannot say now is no.
    func isUnknown(_ patient: PatientID, of tenant: TenantID, in call: Call) async -> Bool {
        do throws(RecordsError) {
            _ = try await reads.profile(of: patient, tenant: tenant, by: call.deadline(limits.read))
            return false
        } catch {
            if case .unknownPatient = error { return true }
            return false
        }
    }
}
