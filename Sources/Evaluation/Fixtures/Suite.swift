/// A suite as it was read from a file.
package struct Suite: Sendable {
    /// The file.
    package let file: String
    /// Its fixtures, in order.
    package let fixtures: [Fixture]
    /// The keys that tell promptfoo how to run the suite, and mean nothing to the service; each once, such as `prompts`.
    package let unusedKeys: [String]

    /// What a reader of the suite is told: the unused keys, and how many cases are skipped because they assert nothing.
    package var warning: String? {
        guard !unusedKeys.isEmpty else { return nil }
        let idle = fixtures.count { !$0.assertsSomething }
        let skipped = idle == 0 ? "" : "; \(idle) of \(fixtures.count) cases assert nothing and are skipped"
        let keys = unusedKeys.joined(separator: ", ")
        return "\(file): the service runs its own prompts and models and does not use \(keys)\(skipped)"
    }
}
