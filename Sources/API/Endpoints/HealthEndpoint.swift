import Runtime

/// `GET /healthz`: reports that the process runs and its event loops respond.
struct HealthEndpoint: Sendable {
    var operation: Operation {
        Operation(
            "readHealth",
            "Say that the process runs",
            dialect: .operations,
            successes: [
                Operation.Success(
                    .object(.required("status", .string(.oneOf(["ok"])))).named("Health"),
                    example: ["status": "ok"],
                    note: "The process runs."
                )
            ],
            access: .open { _ in .json(["status": "ok"]) }
        )
    }
}
