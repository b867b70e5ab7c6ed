import Conversation
import Foundation
import Runtime
import Safety
import YAML

/// The screens and the policy, with the rules, lines and exemplars that they follow.
struct SafetyParts: Sendable {
    let screen: RuleScreen
    let policy: SafetyDecisionPolicy
    let output: ReplyOutputScreen
    private let detectors: Detectors?
    private let book: RuleBook
    private let exemplars: ExemplarBook?
    private let replies: ExemplarBook?
    private let folder: String

    /// The folder that the exemplars and the head that was trained on them are in.
    static func exemplarFolder(_ settings: Settings) -> String { exemplarFolder(in: settings.folder(.promptsFolder)) }

    /// The folder of what a model may say and may not, with the head that was trained on it.
    static func replyFolder(_ settings: Settings) -> String { replyFolder(in: settings.folder(.promptsFolder)) }

    private static func exemplarFolder(in folder: String) -> String { folder + "/exemplars" }

    private static func replyFolder(in folder: String) -> String { folder + "/replies" }

    /// Loads rules, lines and exemplars of the folder that settings name.
    ///
    /// - Parameter space: The space of messages' vectors; nil where they have none. A head that cannot be used is named
    ///   in ``readiness`` and by every turn that it does not look at.
    /// - Throws: What is wrong with a file, with its line: a service without its safety floor does not start.
    static func make(_ settings: Settings, space: String?, log: Log) throws(CommandFailure) -> SafetyParts {
        do throws(SafetyFailure) {
            let parts = try load(from: settings.folder(.promptsFolder), space: space)
            for refusal in parts.refusals { log.error("rules_refused", "reason" ~ refusal) }
            if let failure = parts.exemplarFailure { log.error("exemplars_refused", "reason" ~ "\(failure)") }
            return parts
        } catch {
            throw CommandFailure("The safety rules cannot be used: \(error.reason)", .missing)
        }
    }

    /// Loads rules, lines and exemplars of a folder.
    ///
    /// - Parameters:
    ///   - space: The space of messages' vectors; nil where they have none.
    ///   - earlier: Parts whose rules are taken over as they are where their text has not changed.
    ///   - keepsExemplars: Whether the exemplars are the earlier ones, so that a head in force is not read again.
    static func load(
        from folder: String,
        space: String?,
        after earlier: SafetyParts? = nil,
        keepsExemplars: Bool = false
    ) throws(SafetyFailure) -> SafetyParts {
        do {
            let book = try RuleBook(folder: folder + "/rules", after: earlier?.book)
            let path = folder + "/lines.yaml"
            let lines = try SafetyLines(String(contentsOfFile: path, encoding: .utf8), file: path)
            let known = keepsExemplars && earlier?.exemplarFailure == nil ? earlier?.exemplars : nil
            let exemplars = known ?? space.map { ExemplarBook(folder: exemplarFolder(in: folder), space: $0) }
            let heard = keepsExemplars && earlier?.exemplarFailure == nil ? earlier?.replies : nil
            let replies = heard ?? space.flatMap { self.replies(of: replyFolder(in: folder), $0) }
            let isKept = keepsExemplars && earlier != nil
            let detectors = isKept ? earlier?.detectors : try Detectors(folder: folder + "/detector", space: space)
            return SafetyParts(
                screen: RuleScreen(book, exemplars: exemplars, detector: detectors?.messages),
                policy: SafetyDecisionPolicy(lines),
                output: ReplyOutputScreen(book, replies: replies, detector: detectors?.replies),
                detectors: detectors,
                book: book,
                exemplars: exemplars,
                replies: replies,
                folder: folder
            )
        } catch {
            throw SafetyFailure(reason: "\(error)")
        }
    }

    /// The detectors of messages and replies; each nil for a bundle that was made before there were any.
    private struct Detectors {
        let messages: MessageDetector?
        let replies: ReplyDetector?

        init(folder: String, space: String?) throws(DetectorFileError) {
            let (messages, replies) = (folder + "/messages.detector", folder + "/replies.detector")
            let files = FileManager.default
            self.messages = files.fileExists(atPath: messages) ? try MessageDetector(path: messages, space: space) : nil
            self.replies = files.fileExists(atPath: replies) ? try ReplyDetector(path: replies) : nil
        }
    }

    /// What hears replies; nil for a bundle that was made before there were sentences for it.
    private static func replies(of folder: String, _ space: String) -> ExemplarBook? {
        FileManager.default.fileExists(atPath: folder) ? ExemplarBook(folder: folder, space: space) : nil
    }

    /// What is wrong with the packs that are not in force, with file and line.
    var refusals: [String] { book.refusals.map { "\($0.reason)".replacing(folder + "/", with: "") } }

    /// Why a head is not in force; nil when both are, or when messages have no vectors.
    var exemplarFailure: ExemplarError? { exemplars?.failure ?? replies?.failure }

    /// Everything that is not in force.
    var missing: [String] {
        let failure = exemplarFailure.map { "exemplars: \($0)".replacing(folder + "/", with: "") }
        return refusals + [failure].compactMap { $0 }
    }

    /// The packs in force.
    var packs: [RulePack] { book.packs }

    /// Every rule in force, with how it fails.
    var listing: [RuleListing] { book.packs.flatMap(\.rules).map(RuleListing.init) }

    /// Whether every pack and the exemplars are in force.
    var readiness: ReadinessPart {
        .rules(missing: missing, inForce: "\(book.packs.count) packs")
    }
}

extension ReadinessPart {
    /// The rules' state by what is not in force.
    static func rules(missing: [String], inForce: String) -> ReadinessPart {
        guard missing.isEmpty else {
            return ReadinessPart("rules", .degraded, detail: "Refused: \(missing.joined(separator: "; "))")
        }
        return ReadinessPart("rules", detail: inForce)
    }
}

/// Why rules or lines cannot be used, with the file and the line.
struct SafetyFailure: Error, CustomStringConvertible {
    let reason: String

    var description: String { reason }
}
