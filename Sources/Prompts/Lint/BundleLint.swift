import Conversation

/// Everything that lint has to say of a bundle's files, its rules and lines among them.
///
/// Makes the bundle to ask its output screen what it would let a model say, so it blocks for as long as compiling takes.
package struct BundleLint: Sendable {
    private let make: LoadedBundle.Maker

    /// Makes a lint.
    package init(_ make: @escaping LoadedBundle.Maker) {
        self.make = make
    }

    /// Every finding; those of prompts first, in order of file and place.
    package func findings(in files: [BundleFile]) -> [LintFinding] {
        let loaded = Result { () throws(BundleError) in try make(files) }
        let output: (any OutputScreen)? = try? loaded.get().turn.output
        let found = PromptLint(files, output: output).findings
        guard case .failure(.badRules(let reason)) = loaded else { return found }
        return found + [LintFinding(rules: reason)]
    }
}
