/// Something in a bundle's files that an author should look at.
package struct LintFinding: Sendable, Equatable, CustomStringConvertible {
    /// How bad it is.
    package enum Severity: String, Sendable, Codable { case error, warning }

    /// Which rule found it, by its stable name.
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

    /// How bad it is; a bundle with an error is not loaded, or should not be.
    package let severity: Severity
    /// Which rule.
    package let rule: Rule
    /// Where.
    package let place: SourcePlace
    /// What is the matter, as a sentence.
    package let message: String

    init(_ severity: Severity, _ rule: Rule, _ place: SourcePlace, _ message: String) {
        self.severity = severity
        self.rule = rule
        self.place = place
        self.message = message
    }

    /// As compilers write it: "companion.prompt:12:5: warning: … [volatile_early]".
    package var description: String { "\(place): \(severity.rawValue): \(message) [\(rule.rawValue)]" }
}

extension LintFinding {
    /// What is wrong with rules or lines; the reason begins with its file, line and column.
    package init(rules reason: String) {
        let parts = reason.split(separator: ":", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4, let line = Int(parts[1]), let column = Int(parts[2]) else {
            self.init(.error, .badRules, SourcePlace(file: "rules", .start), reason)
            return
        }
        let place = SourcePlace(file: String(parts[0]), SourcePosition(line: line, column: column))
        self.init(.error, .badRules, place, parts[3].trimming(while: \.isWhitespace))
    }

    /// A fault that keeps a bundle from loading.
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
