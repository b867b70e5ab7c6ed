import Conversation
import Foundation
import Prompts

/// `hearth prompts lint`: prints errors that prevent loading the folder, and warnings for its authors.
enum LintPrompts: PromptAction {
    static let name = "lint"
    static let summary = "Check the folder; exits with 10 when there is an error."

    static func run(_ call: PromptCall) async throws(CommandFailure) -> ExitCode {
        let files = try call.files()
        let findings = BundleLint(BundleParts().make).findings(in: files)
        for finding in findings { Terminal.out(call.isJSON ? json(finding) : finding.description) }
        let isStrict = call.arguments.flags.contains("strict")
        return findings.contains { isStrict || $0.severity == .error } ? .found : .success
    }

    private static func json(_ finding: LintFinding) -> String {
        var line = JSONLine()
        line["file"] = finding.place.file
        line.set("line", finding.place.position.line)
        line.set("column", finding.place.position.column)
        line["severity"] = finding.severity.rawValue
        line["rule"] = finding.rule.rawValue
        line["message"] = finding.message
        return line.text
    }
}
