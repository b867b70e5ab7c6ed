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
    static func exemplarFolder(_ settings: Settings) -> String { settings.folder(.promptsFolder) + "/exemplars" }

    /// The exemplars for messages whose vectors are of a space.
    static func exemplars(_ settings: Settings, for space: String) -> ExemplarBook {
        ExemplarBook(folder: exemplarFolder(settings), space: space)
    }

    /// Loads rules, lines and exemplars.
    ///
    /// - Parameter exemplars: What looks at messages' vectors; nil where they have none. A head that cannot be used is named
    ///   in ``readiness`` and by every turn that it does not look at.
    /// - Throws: What is wrong with a file, with its line: a service without its safety floor does not start.
    static func make(
        _ settings: Settings,
        exemplars: ExemplarBook?,
        log: Log
    ) throws(CommandFailure) -> SafetyParts {
        let folder = settings.folder(.promptsFolder)
        do {
            let book = try RuleBook(folder: folder + "/rules")
            for refusal in book.refusals {
                log.error("rules_refused", "file" ~ refusal.file, "reason" ~ "\(refusal.reason)")
            }
            let path = folder + "/lines.yaml"
            let lines = try SafetyLines(String(contentsOfFile: path, encoding: .utf8), file: path)
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

    /// The packs in force.
    var packs: [RulePack] { book.packs }

    /// Every rule in force, with how it fails.
    var listing: [RuleListing] { book.packs.flatMap(\.rules).map(RuleListing.init) }

    /// Whether every pack and the exemplars are in force.
    var readiness: ReadinessPart {
        let refused = book.refusals.map { "refused: \($0.file)" }
        let failure = exemplars?.failure.map { "exemplars: \($0)" }
        let wrong = refused + [failure].compactMap { $0 }
        guard wrong.isEmpty else { return ReadinessPart("rules", .degraded, detail: wrong.joined(separator: "; ")) }
        return ReadinessPart("rules", detail: "\(book.packs.count) packs")
    }
}
