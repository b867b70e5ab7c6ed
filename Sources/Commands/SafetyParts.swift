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
    private let folder: String

    /// Loads rules and lines of the folder that settings name.
    ///
    /// - Throws: What is wrong with a file, with its line: a service without its safety floor does not start.
    static func make(_ settings: Settings, log: Log) throws(CommandFailure) -> SafetyParts {
        do throws(SafetyFailure) {
            let parts = try load(from: settings.folder(.promptsFolder))
            for refusal in parts.refusals { log.error("rules_refused", "reason" ~ refusal) }
            return parts
        } catch {
            throw CommandFailure("The safety rules cannot be used: \(error.reason)", .missing)
        }
    }

    /// Loads rules and lines of a folder.
    ///
    /// - Parameter earlier: Parts whose rules are taken over as they are where their text has not changed.
    static func load(from folder: String, after earlier: SafetyParts? = nil) throws(SafetyFailure) -> SafetyParts {
        do {
            let book = try RuleBook(folder: folder + "/rules", after: earlier?.book)
            let path = folder + "/lines.yaml"
            let lines = try SafetyLines(String(contentsOfFile: path, encoding: .utf8), file: path)
            return SafetyParts(
                screen: RuleScreen(book),
                policy: SafetyDecisionPolicy(lines),
                output: ReplyOutputScreen(book),
                book: book,
                folder: folder
            )
        } catch {
            throw SafetyFailure(reason: "\(error)")
        }
    }

    /// What is wrong with the packs that are not in force, with file and line.
    var refusals: [String] { book.refusals.map { "\($0.reason)".replacing(folder + "/", with: "") } }

    /// Whether every pack is in force.
    var readiness: ReadinessPart {
        let refused = book.refusals.map(\.file)
        guard refused.isEmpty else {
            return ReadinessPart("rules", .degraded, detail: "Refused: \(refused.joined(separator: ", ")).")
        }
        return ReadinessPart("rules", detail: "\(book.packs.count) packs")
    }
}

/// Why rules or lines cannot be used, with the file and the line.
struct SafetyFailure: Error {
    let reason: String
}
