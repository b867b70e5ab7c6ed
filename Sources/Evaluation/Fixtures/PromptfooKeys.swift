import YAML

/// The keys by which promptfoo's suites say how promptfoo is to run them.
///
/// The service has its own prompts, models and judge, so it reads past these keys and names them in a warning. Keys that
/// change what is said or judged (`scenarios`, `assert.transform`, `options.prefix`) are refused.
enum PromptfooKeys {
    /// At the top of a suite.
    static let suite = [
        "$schema", "assertionTemplates", "commandLineOptions", "derivedMetrics", "env", "evaluateOptions", "extensions",
        "outputPath", "outputs", "prompts", "providers", "sharing", "tags", "targets", "tracing", "writeLatestResults",
    ]
    /// In a test case, and in `defaultTest`.
    static let test = ["options", "prompts", "provider", "providers"]
    /// Those in the `options` of a test case that change what is said or judged; all others are read past.
    private static let changingOptions = [
        "postprocess", "prefix", "rubricPrompt", "storeOutputAs", "suffix", "transform", "transformVars",
    ]
    /// In an assertion.
    static let assertion = ["provider"]

    /// Whether a suite was written for promptfoo: it says what promptfoo is to run.
    static func areIn(_ root: YAMLMapping) -> Bool {
        ["prompts", "providers", "targets"].contains { root[$0] != nil }
    }

    /// Refuses the options of a test case that change what is said or judged.
    static func checkOptions(of test: YAMLMapping) throws(FixtureError) {
        let options = try reading { () throws(YAMLError) in try test["options"]?.mapping() }
        guard let entry = options?.entries.first(where: { changingOptions.contains($0.key) }) else { return }
        throw .invalid(at: entry.position, reason: "options.\(entry.key) changes what is said or judged: not supported")
    }

    /// Those that a suite has, as paths such as `tests.options.provider`, each once and in order.
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
