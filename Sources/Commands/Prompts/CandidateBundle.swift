import Conversation
import Foundation
import Prompts

/// The bundle that a command is about: the folder's, or a stored one; stored when it is asked for.
struct CandidateBundle: Sendable {
    let digest: String

    init(_ call: PromptCall, _ desk: ReleaseDesk) async throws {
        if let start = call.arguments.options["bundle"] {
            digest = try await desk.files(of: start).digest
            return
        }
        let files = try call.files()
        let errors = LintPrompts.findings(files).filter { $0.severity == .error }
        guard errors.isEmpty else {
            throw CommandFailure(errors.map(\.description).joined(separator: "\n"), .found)
        }
        digest = try await desk.store(files)
    }

    /// The eval run that passed on exactly these files.
    func justification(_ call: PromptCall) throws(CommandFailure) -> EvalRun {
        let folder = EvalRunFolder(URL(fileURLWithPath: call.settings.folder(.runsFolder)))
        do throws(EvalRunFolder.Refusal) {
            return try folder.justification(of: digest, run: call.arguments.options["run"])
        } catch {
            let remedy = "run the evals on the bundle \(digest.prefix(12)) first"
            throw CommandFailure("Refused: \(error); \(remedy).", .refused)
        }
    }
}
