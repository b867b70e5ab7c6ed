import Conversation
import Foundation
import Runtime

/// `GET /v1/models`: the names under which the pipeline can be asked.
struct ModelListEndpoint: Sendable {
    let bundles: any PromptBundles
    let startedAt: Date

    init(_ parts: APIParts) {
        bundles = parts.bundles
        startedAt = parts.time.date
    }

    private static let schema = Schema.object(
        .required("object", .string(.oneOf(["list"]))),
        .required(
            "data",
            .array(
                .object(
                    .required("id", .string()),
                    .required("object", .string(.oneOf(["model"]))),
                    .required("created", .integer(0...Int.max)),
                    .required("owned_by", .string())
                ).named("Model")
            )
        )
    ).named("ModelList")

    var operation: Operation {
        Operation(
            "listModels",
            "List the names under which the pipeline answers",
            dialect: .openAI,
            successes: [
                Operation.Success(
                    Self.schema,
                    example: [
                        "object": "list",
                        "data": [
                            ["id": "hearth", "object": "model", "created": 1_761_292_800, "owned_by": "hearth"]
                        ],
                    ],
                    note: "`hearth` for the active prompt bundle, and `hearth:<bundle>` for each that is loaded."
                )
            ],
            access: .key(scope: nil) { call, _ in list(call) }
        )
    }

    private func list(_ call: Call) -> Outcome {
        let names = [ChatRequest.model] + bundles.names.map { "\(ChatRequest.model):\($0)" }
        return .json(["object": "list", "data": .array(names.map(model))])
    }

    private func model(_ name: String) -> JSONValue {
        [
            "id": .string(name),
            "object": "model",
            "created": .integer(Int(startedAt.timeIntervalSince1970)),
            "owned_by": "hearth",
        ]
    }
}
