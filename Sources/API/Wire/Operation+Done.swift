import Runtime

extension Operation.Success {
    /// An answer that says that something is done: "removed", "ended" or "revoked".
    ///
    /// - Parameter name: Name of the schema of the data; the answer's is the same with `Answer` behind it.
    static func done(_ word: String, named name: String, note: String) -> Operation.Success {
        Operation.Success(
            .envelope(.object(.required(word, .boolean)).named(name)).named("\(name)Answer"),
            example: ["success": true, "data": [word: true]],
            note: note
        )
    }
}

extension Outcome {
    /// The answer to a request that was done.
    static func done(_ word: String) -> Outcome { .json(["success": true, "data": [word: true]]) }
}
