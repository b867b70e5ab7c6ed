import Conversation

/// All lint findings of a bundle's files, including rules and lines.
///
/// It makes the bundle to query its output screen, so it blocks while compiling.
package struct BundleLint: Sendable {
    private let make: LoadedBundle.Maker

    package init(_ make: @escaping LoadedBundle.Maker) {
        self.make = make
    }

    /// All findings; those of prompts first, in order of file and position.
    package func findings(in files: [BundleFile]) -> [LintFinding] {
        let loaded = Result { () throws(BundleError) in try make(files) }
        let output: (any OutputScreen)? = try? loaded.get().turn.output
        let found = PromptLint(files, output: output).findings
        guard case .failure(.badRules(let reason)) = loaded else { return found }
        return found + [LintFinding(rules: reason)]
    }
}
