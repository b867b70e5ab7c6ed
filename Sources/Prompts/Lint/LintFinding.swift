import Domain

/// A problem in a bundle's files for its author.
package struct LintFinding: Sendable, Equatable, CustomStringConvertible {
    /// The severity.
    package enum Severity: String, Sendable, Codable { case error, warning }

    /// The stable name of the rule.
    package enum Rule: String, Sendable, Codable, CaseIterable {
        case source
        case missingPartial = "missing_partial"
        case partialCycle = "partial_cycle"
        case unknownVariable = "unknown_variable"
        case contract
        case missingPrompt = "missing_prompt"
        case unusedVariable = "unused_variable"
        case unusedPartial = "unused_partial"
        case invisibleCharacter = "invisible_character"
        case notNormalized = "not_normalized"
        case tokenBudget = "token_budget"
        case volatileEarly = "volatile_early"
        case valueInSystem = "value_in_system"
        case wordCap = "word_cap"
        case exampleOverCap = "example_over_cap"
        case exampleScreened = "example_screened"
        case againstSafety = "against_safety"
        case missingSafety = "missing_safety"
        case contradiction
        case badRules = "bad_rules"
    }

    /// The severity; a bundle with an error is not loaded, or should not be.
    package let severity: Severity
    package let rule: Rule
    /// The position.
    package let place: SourcePlace
    /// The problem as a sentence.
    package let message: String

    init(_ severity: Severity, _ rule: Rule, _ place: SourcePlace, _ message: String) {
        self.severity = severity
        self.rule = rule
        self.place = place
        self.message = message
    }

    /// The form that compilers use: "companion.prompt:12:5: warning: … [volatile_early]".
    package var description: String { "\(place): \(severity.rawValue): \(message) [\(rule.rawValue)]" }
}

extension LintFinding {
    /// Makes a finding for faulty rules or lines; the reason begins with file, line and column.
    package init(rules reason: String) {
        let parts = reason.split(separator: ":", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4, let line = Int(parts[1]), let column = Int(parts[2]) else {
            self.init(.error, .badRules, SourcePlace(file: "rules", .start), reason)
            return
        }
        let place = SourcePlace(file: String(parts[0]), SourcePosition(line: line, column: column))
        self.init(.error, .badRules, place, parts[3].trimming(while: \.isWhitespace))
    }

    init(_ error: PromptSourceError) {
        let rule: Rule =
            switch error.fault {
            case .missingPartial: .missingPartial
            case .partialCycle: .partialCycle
            case .unknownVariable: .unknownVariable
            case .unsuppliedVariable, .otherType, .badShape: .contract
            default: .source
            }
        let place = SourcePlace(file: error.file, error.position)
        self.init(.error, rule, place, "\(error.fault)")
    }
}

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
