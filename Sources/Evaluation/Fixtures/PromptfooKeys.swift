import YAML

/// The keys that control how promptfoo runs a suite.
///
/// The service has its own prompts, models and judge, so it ignores these keys with a warning. Keys that change the
/// messages or the verdicts (`scenarios`, `assert.transform`, `options.prefix`) are refused.
enum PromptfooKeys {
    /// Keys at the top of a suite.
    static let suite = [
        "$schema", "assertionTemplates", "commandLineOptions", "derivedMetrics", "env", "evaluateOptions", "extensions",
        "outputPath", "outputs", "prompts", "providers", "sharing", "tags", "targets", "tracing", "writeLatestResults",
    ]
    /// Keys in a test case, and in `defaultTest`.
    static let test = ["options", "prompts", "provider", "providers"]
    /// Keys in the `options` of a test case that change messages or verdicts; all others are ignored.
    private static let changingOptions = [
        "postprocess", "prefix", "rubricPrompt", "storeOutputAs", "suffix", "transform", "transformVars",
    ]
    /// Keys in an assertion.
    static let assertion = ["provider"]

    /// Returns true if a suite was written for promptfoo, because it has such keys.
    static func areIn(_ root: YAMLMapping) -> Bool {
        ["prompts", "providers", "targets"].contains { root[$0] != nil }
    }

    /// Refuses the options of a test case that change messages or verdicts.
    static func checkOptions(of test: YAMLMapping) throws(FixtureError) {
        let options = try reading { () throws(YAMLError) in try test["options"]?.mapping() }
        guard let entry = options?.entries.first(where: { changingOptions.contains($0.key) }) else { return }
        throw .invalid(at: entry.position, reason: "options.\(entry.key) changes what is said or judged: not supported")
    }

    /// The ignored keys of a suite, as paths such as `tests.options.provider`, each once and in order.
    static func unused(in root: YAMLMapping) -> [String] {
        var paths: [String] = []
        func note(_ path: String) {
            if !paths.contains(path) { paths.append(path) }
        }
        func noteAssertions(_ node: YAMLNode?, under path: String) {
            for item in (try? node?.sequence()) ?? [] {
                guard let mapping = try? item.mapping() else { continue }
                for key in assertion where mapping[key] != nil { note("\(path).assert.\(key)") }
                noteAssertions(mapping["assert"], under: path)
            }
        }
        func noteTest(_ node: YAMLNode?, under path: String) {
            guard let mapping = try? node?.mapping() else { return }
            for key in test where key != "options" && mapping[key] != nil { note("\(path).\(key)") }
            for entry in (try? mapping["options"]?.mapping())?.entries ?? [] { note("\(path).options.\(entry.key)") }
            noteAssertions(mapping["assert"], under: path)
        }
        for entry in root.entries where suite.contains(entry.key) { note(entry.key) }
        noteTest(root["defaultTest"], under: "defaultTest")
        for item in (try? root["tests"]?.sequence()) ?? [] { noteTest(item, under: "tests") }
        return paths
    }
}
