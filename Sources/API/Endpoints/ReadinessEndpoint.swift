import Conversation
import Runtime

/// `GET /readyz`: reports whether turns can be answered and which parts are degraded.
struct ReadinessEndpoint: Sendable {
    let readiness: any Readiness

    private static let states = ReadinessPart.State.allCases.map(\.rawValue)
    private static let schema = Schema.object(
        .required("status", .string(.oneOf(states)).noted("The worst of the parts.")),
        .required(
            "parts",
            .array(
                .object(
                    .required("name", .string()),
                    .required("status", .string(.oneOf(states))),
                    .optional(
                        "detail",
                        .string().noted("For whoever shows a service key: what is wrong and what to do.")
                    )
                ).named("ReadinessPart")
            )
        )
    ).named("Readiness")

    var operation: Operation {
        Operation(
            "readReadiness",
            "Say whether a turn can be answered",
            note: "Anybody is told each part's state; why, with addresses and paths, only whoever shows a service key.",
            dialect: .operations,
            successes: [
                Operation.Success(
                    Self.schema,
                    example: [
                        "status": "degraded",
                        "parts": [
                            ["name": "records", "status": "ready", "detail": ""],
                            ["name": "recall", "status": "degraded", "detail": "The embedding engine is missing."],
                        ],
                    ],
                    note: "Turns are answered; without some parts, when degraded."
                ),
                Operation.Success(status: 503, Self.schema, note: "No turn can be answered."),
            ],
            access: .openMoreByKey { _, isKnown in answer(inDetail: isKnown) }
        )
    }

    private func answer(inDetail: Bool) -> Outcome {
        let parts = readiness.parts
        let state: ReadinessPart.State =
            parts.contains { $0.state == .down } ? .down : parts.contains { $0.state == .degraded } ? .degraded : .ready
        let degraded = parts.filter { $0.state != .ready }.map(\.name).joined(separator: ",")
        return .json(
            ["status": .string(state.rawValue), "parts": .array(parts.map { Self.json($0, inDetail) })],
            status: state == .down ? 503 : 200,
            notes: degraded.isEmpty ? [] : ["degraded" ~ degraded]
        )
    }

    private static func json(_ part: ReadinessPart, _ inDetail: Bool) -> JSONValue {
        .members([
            "name": .string(part.name), "status": .string(part.state.rawValue),
            "detail": inDetail ? .string(part.detail) : nil,
        ])
    }
}
