/// A suite as it was read from a file.
package struct Suite: Sendable {
    /// The file.
    package let file: String
    /// Its fixtures, in order.
    package let fixtures: [Fixture]
    /// The ignored keys that control promptfoo; each once, such as `prompts`.
    package let unusedKeys: [String]

    /// Warning for the reader of a run: the ignored keys, and the number of cases that are skipped without assertions.
    package var warning: String? {
        guard !unusedKeys.isEmpty else { return nil }
        let idle = fixtures.count { !$0.assertsSomething }
        let skipped = idle == 0 ? "" : "; \(idle) of \(fixtures.count) cases assert nothing and are skipped"
        let keys = unusedKeys.joined(separator: ", ")
        return "\(file): the service runs its own prompts and models and does not use \(keys)\(skipped)"
    }
}
