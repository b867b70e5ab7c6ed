import Conversation
import Cryptography
import Foundation
import Prompts
import Recall
import Runtime
import Safety
import Synchronization

/// Makes bundles as the service uses them: prompts, rules, detectors, lines and routing out of the same files.
///
/// Rules and detectors that have not changed since the last bundle are taken over, so that an edit costs what it changes.
final class BundleParts: Sendable {
    private let space: String
    private let lock: PromptLockFile?
    private let latest = Mutex<(safety: SafetyParts, detectors: [BundleFile])?>(nil)

    /// Makes nothing yet.
    ///
    /// - Parameters:
    ///   - space: The space of messages' vectors.
    ///   - lock: The lock that says which models are trusted; without it none is.
    init(space: String = E5Space.name, trustedBy lock: PromptLockFile? = nil) {
        self.space = space
        self.lock = lock
    }

    /// The models that the lock trusts with a bundle, by its digest; none while the lock cannot be read.
    @Sendable func trust(in bundle: String) -> ModelTrust {
        do throws(PromptLockFile.Failure) {
            return try lock?.lock().trust(in: bundle) ?? ModelTrust()
        } catch {
            return ModelTrust()
        }
    }

    /// The lock beside the prompts of settings.
    static func lock(_ settings: Settings) -> PromptLockFile {
        PromptLockFile(folder: folder(settings).url, environment: settings[.environment].text)
    }

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
            return try make(files, refusals: { log.error($0, "reason" ~ $1) })
        } catch {
            throw CommandFailure("The prompts cannot be used: \(error)", .missing)
        }
    }

    /// Makes a bundle; one in which a single file is wrong is refused whole.
    @Sendable func make(_ files: [BundleFile]) throws(BundleError) -> LoadedBundle {
        try make(files, refusals: nil)
    }

    /// - Parameter refusals: Is told of a pack that was left out; nil when none may be.
    private func make(
        _ files: [BundleFile],
        refusals: ((_ event: String, _ reason: String) -> Void)?
    ) throws(BundleError) -> LoadedBundle {
        let prompts = try PromptBundle(files)
        let safety = try safety(of: files)
        for refusal in safety.refusals {
            guard let refusals else { throw .badRules(reason: refusal) }
            refusals("rules_refused", refusal)
        }
        latest.withLock { $0 = (safety, Self.detectors(in: files)) }
        return LoadedBundle(
            files: files,
            prompts: prompts,
            turn: TurnBundle(
                version: prompts.version,
                screen: safety.screen,
                policy: safety.policy,
                output: safety.output,
                composer: BundleComposer(prompts),
                replies: safety.policy.replies,
                trust: trust(in: prompts.digest.hex),
                routing: try RoutingFile.routing(in: files)
            ),
            missing: safety.missing
        )
    }

    private func safety(of files: [BundleFile]) throws(BundleError) -> SafetyParts {
        try Self.reading(files) { folder throws(SafetyFailure) in
            let earlier = latest.withLock { $0 }
            return try SafetyParts.load(
                from: folder,
                space: space,
                after: earlier?.safety,
                keepsDetectors: earlier?.detectors == Self.detectors(in: files)
            )
        }
    }

    /// The rules of a bundle's files with its labelled sentences, for whoever reads and measures them.
    @Sendable static func rules(
        of files: [BundleFile]
    ) throws(BundleError) -> (book: RuleBook, exemplars: [Exemplar]) {
        try reading(files) { folder throws(SafetyFailure) in
            do {
                return (
                    try RuleBook(folder: folder + "/rules"), try ExemplarReader(folder: folder + "/exemplars").exemplars
                )
            } catch {
                throw SafetyFailure(reason: "\(error)")
            }
        }
    }

    /// Rules are read from a folder of their own that holds exactly the bundle's files, and is removed afterwards.
    private static func reading<Value>(
        _ files: [BundleFile],
        _ read: (_ folder: String) throws(SafetyFailure) -> Value
    ) throws(BundleError) -> Value {
        let scratch = FileManager.default.temporaryDirectory.appending(path: "hearth-bundle-\(UUID())")
        defer { try? FileManager.default.removeItem(at: scratch) }
        try PromptFolder(scratch).write(files.filter { !$0.path.hasSuffix(PromptFileName.suffix) })
        do throws(SafetyFailure) {
            return try read(scratch.path)
        } catch {
            throw .badRules(reason: error.reason.replacing(scratch.path + "/", with: ""))
        }
    }

    private static func detectors(in files: [BundleFile]) -> [BundleFile] {
        files.filter { $0.path.hasPrefix("detector/") }
    }
}

extension BundlesInForce {
    /// Whether the newest release, or else the folder, is in force.
    var promptReadiness: ReadinessPart {
        guard let refusal else { return ReadinessPart("prompts", detail: version) }
        return ReadinessPart("prompts", .degraded, detail: "\(version) stays in force. \(refusal)")
    }

    /// The state of the rules and the detectors in force, for `readyz`.
    var ruleReadiness: ReadinessPart {
        let loaded = loaded
        return .rules(
            missing: loaded.missing,
            inForce: "\(loaded.files.count { $0.path.hasPrefix("rules/") }) files"
        )
    }
}
