import Conversation
import Prompts
import Runtime
import Synchronization

/// Lint findings of a draft and a preview of its prompt.
struct CheckedEdit: Sendable {
    /// Lint findings; those of the edited file come first.
    let findings: [LintFinding]
    /// The preview; nil if the file is not used by any prompt.
    let preview: Preview?

    /// A rendered prompt with sample values.
    struct Preview: Sendable {
        let name: String
        let messages: [RenderedMessage]
    }

    /// Whether the draft can be saved.
    var isLoadable: Bool { !findings.contains { $0.severity == .error } }
}

/// Validates drafts on a dedicated thread: one at a time, four waiting, 120 per minute and operator.
final class CheckDesk: Sendable {
    private static let time = Duration.seconds(10)
    private static let perMinute = 120

    private let lint: BundleLint
    private let threads = WorkerThreads(name: "lint", count: 1, capacity: 4)
    private let limit = Mutex(RateLimit<OperatorID>(perMinute: CheckDesk.perMinute))

    init(_ make: @escaping LoadedBundle.Maker) {
        lint = BundleLint(make)
    }

    /// Runs lint on a draft and renders its preview.
    ///
    /// - Throws: ``ConsoleRefusal/unavailable(reason:)`` if the operator exceeds the rate limit or the queue is full.
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

    /// Preview of the edited prompt; for a partial, of the first prompt that the service uses.
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
