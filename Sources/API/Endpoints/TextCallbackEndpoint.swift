import Conversation
import HTTPServing
import Runtime

/// `/callbacks/twilio/…`: receives delivery reports of text messages and incoming text messages.
struct TextCallbackEndpoint: Sendable {
    private static let signature = Parameter(
        "X-Twilio-Signature",
        in: .header,
        .string(.visibleASCII(1...100)),
        note: "HMAC-SHA-1 over the URL and the form's fields, under the account's token."
    )

    let parts: APIParts

    var status: Operation {
        Operation(
            "takeTextStatus",
            "Take what became of a text message",
            note:
                "Called by Twilio with a form; one that Twilio has not signed is refused, and so is one that was taken.",
            dialect: .operations,
            parameters: [AlertLinkEndpoint.token, Self.signature],
            successes: [
                Operation.Success(
                    .object(.required("taken", .boolean)).named("CallbackTaken"),
                    example: ["taken": true],
                    note: "It is taken."
                )
            ],
            refusals: [.callbackRefused, .callbackReplayed, .routeNotFound, .recordsUnavailable, .malformedRequest],
            access: .open(takeStatus)
        )
    }

    var message: Operation {
        Operation(
            "takeText",
            "Take a text message that somebody sent",
            note:
                "Called by Twilio with a form. OK takes on the newest open alert that went to the number, DONE says that "
                + "it is over, STOP ends messages to it.",
            dialect: .operations,
            parameters: [Self.signature],
            successes: [
                Operation.Success(
                    mediaType: "text/xml",
                    .string().noted("What to answer, as TwiML."),
                    note: "It is taken."
                )
            ],
            refusals: [.callbackRefused, .callbackReplayed, .routeNotFound, .recordsUnavailable, .malformedRequest],
            access: .open(takeText)
        )
    }

    private func takeStatus(_ call: Call) async throws(Refusal) -> Outcome {
        let token = call.values[AlertLinkEndpoint.token.name] ?? ""
        let callback = try Self.callback(call)
        let answer: CallbackAnswer
        do throws(RecordsError) {
            answer = try await parts.desk.takeStatus(callback, token: token, by: call.deadline(parts.limits.read))
        } catch {
            throw Refusal(error, patientAt: "")
        }
        _ = try Self.reply(answer)
        return .json(["taken": true])
    }

    private func takeText(_ call: Call) async throws(Refusal) -> Outcome {
        let callback = try Self.callback(call)
        let answer: CallbackAnswer
        do throws(RecordsError) {
            answer = try await parts.desk.takeText(callback, by: call.deadline(parts.limits.read))
        } catch {
            throw Refusal(error, patientAt: "")
        }
        let words = try Self.reply(answer)
        let message = words.isEmpty ? "" : "<Message>\(words)</Message>"
        let xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><Response>\(message)</Response>"
        let headers = HeaderFields(["Content-Type": "text/xml; charset=utf-8"])
        return Outcome(HTTPResponse(status: 200, headers: headers, body: .bytes(Array(xml.utf8))))
    }

    private static func callback(_ call: Call) throws(Refusal) -> TextCallback {
        guard let form = FormFields(call.request.body) else { throw .http(.badField) }
        return TextCallback(
            path: call.request.path,
            fields: form.all,
            signature: call.values[signature.name] ?? "",
            peer: call.request.peer
        )
    }

    private static func reply(_ answer: CallbackAnswer) throws(Refusal) -> String {
        switch answer {
        case .taken(let reply): reply
        case .refused: throw .callbackRefused
        case .replayed: throw .callbackReplayed
        case .notConfigured: throw .http(.notFound)
        }
    }
}
