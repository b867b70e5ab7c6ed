import Conversation
import Foundation
import Runtime
import Safety
import YAML

/// The screens and the policy, with the rules, lines and detectors that they follow.
struct SafetyParts: Sendable {
    let screen: RuleScreen
    let policy: SafetyDecisionPolicy
    let output: ReplyOutputScreen
    private let detectors: Detectors
    private let book: RuleBook
    private let wantsVectors: Bool
    private let folder: String

    /// Loads rules, lines and detectors of the folder that settings name.
    ///
    /// - Parameter space: The space of messages' vectors; nil where they have none.
    /// - Throws: What is wrong with a file, with its line: a service without its safety floor does not start.
    static func make(_ settings: Settings, space: String?, log: Log) throws(CommandFailure) -> SafetyParts {
        do throws(SafetyFailure) {
            let parts = try load(from: settings.folder(.promptsFolder), space: space)
            for refusal in parts.refusals { log.error("rules_refused", "reason" ~ refusal) }
            return parts
        } catch {
            throw CommandFailure("The safety rules cannot be used: \(error.reason)", .missing)
        }
    }

    /// Loads rules, lines and detectors of a folder.
    ///
    /// - Parameters:
    ///   - space: The space of messages' vectors; nil where they have none.
    ///   - earlier: Parts whose rules are taken over as they are where their text has not changed.
    ///   - keepsDetectors: Whether the detectors are the earlier ones, so that they are not read again.
    static func load(
        from folder: String,
        space: String?,
        after earlier: SafetyParts? = nil,
        keepsDetectors: Bool = false
    ) throws(SafetyFailure) -> SafetyParts {
        do {
            let book = try RuleBook(folder: folder + "/rules", after: earlier?.book)
            let path = folder + "/lines.yaml"
            let lines = try SafetyLines(String(contentsOfFile: path, encoding: .utf8), file: path)
            let kept = keepsDetectors ? earlier?.detectors : nil
            let detectors = try kept ?? Detectors(folder: folder + "/detector", space: space)
            return SafetyParts(
                screen: RuleScreen(book, detector: detectors.messages),
                policy: SafetyDecisionPolicy(lines),
                output: ReplyOutputScreen(book, detector: detectors.replies),
                detectors: detectors,
                book: book,
                wantsVectors: space != nil,
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
            self.replies = files.fileExists(atPath: replies) ? try ReplyDetector(path: replies, space: space) : nil
        }
    }

    /// What is wrong with the packs that are not in force, with file and line.
    var refusals: [String] { book.refusals.map { "\($0.reason)".replacing(folder + "/", with: "") } }

    /// Everything that is not in force.
    var missing: [String] {
        let isDeaf = wantsVectors && detectors.messages?.usesVectors == false
        return refusals + (isDeaf ? ["detector: trained on vectors of another space"] : [])
    }

    /// The packs in force.
    var packs: [RulePack] { book.packs }

    /// Every rule in force, with how it fails.
    var listing: [RuleListing] { book.packs.flatMap(\.rules).map(RuleListing.init) }

    /// The state of the rules and the detectors, for `readyz`.
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
