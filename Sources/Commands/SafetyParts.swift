import Conversation
import Foundation
import Runtime
import Safety
import YAML

/// The screens and the policy, with the rules and lines that they follow.
struct SafetyParts: Sendable {
    let screen: RuleScreen
    let policy: SafetyDecisionPolicy
    let output: ReplyOutputScreen
    private let book: RuleBook

    /// Loads rules and lines.
    ///
    /// - Throws: What is wrong with a file, with its line: a service without its safety floor does not start.
    static func make(_ settings: Settings, log: Log) throws(CommandFailure) -> SafetyParts {
        let folder = settings.folder(.promptsFolder)
        do {
            let book = try RuleBook(folder: folder + "/rules")
            for refusal in book.refusals {
                log.error("rules_refused", "file" ~ refusal.file, "reason" ~ "\(refusal.reason)")
            }
            let path = folder + "/lines.yaml"
            let lines = try SafetyLines(String(contentsOfFile: path, encoding: .utf8), file: path)
            return SafetyParts(
                screen: RuleScreen(book),
                policy: SafetyDecisionPolicy(lines),
                output: ReplyOutputScreen(book),
                book: book
            )
        } catch {
            throw CommandFailure("The safety rules cannot be used: \(error)", .missing)
        }
    }

    /// The packs in force.
    var packs: [RulePack] { book.packs }

    /// Whether every pack is in force.
    var readiness: ReadinessPart {
        let refused = book.refusals.map(\.file)
        guard refused.isEmpty else {
            return ReadinessPart("rules", .degraded, detail: "Refused: \(refused.joined(separator: ", ")).")
        }
        return ReadinessPart("rules", detail: "\(book.packs.count) packs")
    }
}
