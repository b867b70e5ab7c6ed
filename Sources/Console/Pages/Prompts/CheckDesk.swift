import Conversation
import Prompts
import Runtime
import Synchronization

/// What lint says of an edit, and what a model would get of it.
struct CheckedEdit: Sendable {
    /// What lint found, those of the edited file first.
    let findings: [LintFinding]
    /// The prompt that is previewed; nil when the file is none and no prompt uses it.
    let preview: Preview?

    /// A prompt as a model would get it, with sample values.
    struct Preview: Sendable {
        let name: String
        let messages: [RenderedMessage]
    }

    /// Whether the edit can be saved.
    var isLoadable: Bool { !findings.contains { $0.severity == .error } }
}

/// Checks edits on a thread of its own: one at a time, four waiting, and a few a second for each operator.
final class CheckDesk: Sendable {
    private static let time = Duration.seconds(10)
    private static let perMinute = 120

    private let lint: BundleLint
    private let threads = WorkerThreads(name: "lint", count: 1, capacity: 4)
    private let limit = Mutex(RateLimit<OperatorID>(perMinute: CheckDesk.perMinute))

    init(_ make: @escaping LoadedBundle.Maker) {
        lint = BundleLint(make)
    }

    /// Looks at an edit.
    ///
    /// - Throws: ``ConsoleRefusal/unavailable(reason:)`` when an operator asks too often, or the thread is not free.
    func check(_ edit: BundleEdit, for person: OperatorID) async throws(ConsoleRefusal) -> CheckedEdit {
        if limit.withLock({ $0.take(person, at: .now) }) != nil {
            throw .unavailable(reason: "checks come too fast")
        }
        let lint = lint
        do throws(WorkerError) {
            return try await threads.run(by: Deadline(after: Self.time)) {
                let found = lint.findings(in: edit.files)
                let own = found.filter { $0.place.file == edit.path }
                let others = found.filter { $0.place.file != edit.path }
                return CheckedEdit(findings: own + others, preview: Self.preview(edit))
            }
        } catch {
            throw .unavailable(reason: "lint: \(error)")
        }
    }

    /// The prompt that the file is, or for a partial the first prompt that the service asks for.
    private static func preview(_ edit: BundleEdit) -> CheckedEdit.Preview? {
        guard edit.path.hasSuffix(PromptFileName.suffix), let bundle = try? PromptBundle(edit.files),
            let file = try? PromptFileName(file: edit.path)
        else { return nil }
        let contract = PromptContract.all.first { !file.isPartial && $0.name == file.name } ?? PromptContract.companion
        let variant = file.isPartial ? nil : file.variant
        guard let sample = contract.samples.first,
            let messages = try? bundle.prompt(contract.name, variant: variant)?
                .render(sample.values, history: sample.history)
        else { return nil }
        return CheckedEdit.Preview(name: contract.name, messages: messages)
    }
}
