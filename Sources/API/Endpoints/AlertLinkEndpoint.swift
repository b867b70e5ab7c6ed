import Conversation
import HTTPServing
import Runtime

/// `/a/{token}`: the page behind an alert's link, on which a person acknowledges the alert.
///
/// Opening the page changes nothing, because mail scanners follow links too.
struct AlertLinkEndpoint: Sendable {
    static let token = Parameter(
        "token",
        in: .path,
        .string(.visibleASCII(1...400)),
        isRequired: true,
        example: "c2lnbmVk",
        note: "What the link holds: signed, for one alert and one contact, good for a day."
    )

    let parts: APIParts

    private static let page = Schema.string().noted("A page for a person.")

    private static let successes = [
        Operation.Success(mediaType: "text/html", page, note: "The alert, or thanks."),
        Operation.Success(status: 403, mediaType: "text/html", page, note: "The link opens nothing."),
        Operation.Success(status: 410, mediaType: "text/html", page, note: "The link has expired."),
    ]

    var looking: Operation {
        Operation(
            "showAlertLink",
            "Show the alert of a link",
            dialect: .operations,
            parameters: [Self.token],
            successes: Self.successes,
            refusals: [.recordsUnavailable],
            access: .open(look)
        )
    }

    var answering: Operation {
        Operation(
            "answerAlertLink",
            "Take an alert on by its link",
            note: "The body is a form: `event` is `acknowledged` (without it, too), `resolved`, `delivered` or `seen`; "
                + "`note`, of at most 1,000 bytes, is for whoever comes next.",
            dialect: .operations,
            parameters: [Self.token],
            successes: Self.successes,
            refusals: [.recordsUnavailable, .invalidField],
            access: .open(answer)
        )
    }

    private func look(_ call: Call) async throws(Refusal) -> Outcome {
        let token = call.values[Self.token.name] ?? ""
        do throws(RecordsError) {
            let deadline = call.deadline(parts.limits.read)
            return AlertPage.outcome(try await parts.desk.look(token, from: call.request.peer, by: deadline))
        } catch {
            throw Refusal(error, patientAt: "")
        }
    }

    private func answer(_ call: Call) async throws(Refusal) -> Outcome {
        let token = call.values[Self.token.name] ?? ""
        let word = try Self.word(call.request.body)
        do throws(RecordsError) {
            let deadline = call.deadline(parts.limits.read)
            let answer = try await parts.desk.take(word, by: token, from: call.request.peer, by: deadline)
            return AlertPage.outcome(answer)
        } catch {
            throw Refusal(error, patientAt: "")
        }
    }

    private static func word(_ body: [UInt8]) throws(Refusal) -> LinkWord {
        guard let fields = FormFields(body) else {
            throw .invalid(.outOfRule(path: "", demand: "must be a form"))
        }
        let note = String(fields["note"].prefix(1000))
        return switch fields["event"] {
        case "", "acknowledged": .acknowledged(note: note, resolves: false)
        case "resolved": .acknowledged(note: note, resolves: true)
        case "delivered": .delivered
        case "seen": .seen
        default:
            throw .invalid(
                .outOfRule(path: "event", demand: "must be acknowledged, resolved, delivered or seen")
            )
        }
    }
}
