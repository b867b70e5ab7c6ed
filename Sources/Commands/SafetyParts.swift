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
    private let exemplars: ExemplarBook?

    /// The folder that the exemplars and the head that was trained on them are in.
    static func exemplars(_ settings: Settings) -> String { settings.folder(.promptsFolder) + "/exemplars" }

    /// Loads rules, lines and exemplars.
    ///
    /// - Parameter space: The space of the vectors that messages have; nil where they have none.
    /// - Throws: What is wrong with a file, with its line: a service without its safety floor does not start. A head that
    ///   cannot be used is named in ``readiness`` and by every turn that it does not look at.
    static func make(_ settings: Settings, space: String?, log: Log) throws(CommandFailure) -> SafetyParts {
        let folder = settings.folder(.promptsFolder)
        do {
            let book = try RuleBook(folder: folder + "/rules")
            for refusal in book.refusals {
                log.error("rules_refused", "file" ~ refusal.file, "reason" ~ "\(refusal.reason)")
            }
            let path = folder + "/lines.yaml"
            let lines = try SafetyLines(String(contentsOfFile: path, encoding: .utf8), file: path)
            let exemplars = space.map { ExemplarBook(folder: Self.exemplars(settings), space: $0) }
            if let failure = exemplars?.failure { log.error("exemplars_refused", "reason" ~ "\(failure)") }
            return SafetyParts(
                screen: RuleScreen(book, exemplars: exemplars),
                policy: SafetyDecisionPolicy(lines),
                output: ReplyOutputScreen(book),
                book: book,
                exemplars: exemplars
            )
        } catch {
            throw CommandFailure("The safety rules cannot be used: \(error)", .missing)
        }
    }

    /// Whether every pack and the exemplars are in force.
    var readiness: ReadinessPart {
        let refused = book.refusals.map { "refused: \($0.file)" }
        let failure = exemplars?.failure.map { "exemplars: \($0)" }
        let wrong = refused + [failure].compactMap { $0 }
        guard wrong.isEmpty else { return ReadinessPart("rules", .degraded, detail: wrong.joined(separator: "; ")) }
        return ReadinessPart("rules", detail: "\(book.packs.count) packs")
    }
}
