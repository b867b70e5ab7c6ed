import Conversation
import Foundation
import Prompts
import Runtime
import Safety
import Synchronization

/// Makes bundles as the service uses them: prompts, rules, lines and routing out of the same files.
///
/// Rules whose text has not changed since the last bundle are taken over, so that an edit costs what it changes.
final class BundleParts: Sendable {
    private let latest = Mutex<SafetyParts?>(nil)

    /// The folder that settings name.
    static func folder(_ settings: Settings) -> PromptFolder {
        PromptFolder(URL(fileURLWithPath: settings.folder(.promptsFolder)))
    }

    /// The bundle that the service starts with: that of the folder.
    ///
    /// A pack of rules that is refused is left out, told in the log and by `readyz`; it keeps nobody from being answered.
    ///
    /// - Throws: What is wrong with a file, with its line: a service without prompts cannot say what it would ask.
    func first(_ settings: Settings, log: Log) throws(CommandFailure) -> LoadedBundle {
        do throws(BundleError) {
            let files = try Self.folder(settings).files()
            return try make(files, refusals: { log.error("rules_refused", "reason" ~ $0) })
        } catch {
            throw CommandFailure("The prompts cannot be used: \(error)", .missing)
        }
    }

    /// Makes a bundle; one in which a single file is wrong is refused whole.
    @Sendable func make(_ files: [BundleFile]) throws(BundleError) -> LoadedBundle {
        try make(files, refusals: nil)
    }

    /// - Parameter refusals: Is told of a pack that was left out; nil when none may be.
    private func make(_ files: [BundleFile], refusals: ((String) -> Void)?) throws(BundleError) -> LoadedBundle {
        let prompts = try PromptBundle(files)
        let safety = try safety(of: files)
        for refusal in safety.refusals {
            guard let refusals else { throw .badRules(reason: refusal) }
            refusals(refusal)
        }
        latest.withLock { $0 = safety }
        return LoadedBundle(
            files: files,
            prompts: prompts,
            turn: TurnBundle(
                version: prompts.version,
                screen: safety.screen,
                policy: safety.policy,
                output: safety.output,
                composer: BundleComposer(prompts),
                routing: try RoutingFile.routing(in: files)
            ),
            missing: safety.refusals
        )
    }

    /// The rules are read from a folder of their own that holds exactly the bundle's files, and is removed afterwards.
    private func safety(of files: [BundleFile]) throws(BundleError) -> SafetyParts {
        let scratch = FileManager.default.temporaryDirectory.appending(path: "hearth-bundle-\(UUID())")
        defer { try? FileManager.default.removeItem(at: scratch) }
        try PromptFolder(scratch).write(files.filter { !$0.path.hasSuffix(PromptFileName.suffix) })
        do throws(SafetyFailure) {
            return try SafetyParts.load(from: scratch.path, after: latest.withLock { $0 })
        } catch {
            throw .badRules(reason: error.reason.replacing(scratch.path + "/", with: ""))
        }
    }
}

extension BundlesInForce {
    /// Whether the newest release, or else the folder, is in force.
    var promptReadiness: ReadinessPart {
        guard let refusal else { return ReadinessPart("prompts", detail: version) }
        return ReadinessPart("prompts", .degraded, detail: "\(version) stays in force. \(refusal)")
    }

    /// Whether every pack of rules is in force.
    var ruleReadiness: ReadinessPart {
        let missing = loaded.missing
        guard missing.isEmpty else {
            return ReadinessPart("rules", .degraded, detail: "Refused: \(missing.joined(separator: "; "))")
        }
        return ReadinessPart("rules", detail: "\(loaded.files.count { $0.path.hasPrefix("rules/") }) files")
    }
}
