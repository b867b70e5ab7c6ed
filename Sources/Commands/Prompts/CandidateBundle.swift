import Conversation
import Foundation
import Prompts

/// The bundle that a command names: the folder's, or a stored one.
///
/// A folder's bundle is stored.
struct CandidateBundle: Sendable {
    let digest: String

    init(_ call: PromptCall, _ desk: ReleaseDesk) async throws {
        if let start = call.arguments.options["bundle"] {
            digest = try await desk.files(of: start).digest
            return
        }
        let files = try call.files()
        let errors = BundleLint(BundleParts().make).findings(in: files).filter { $0.severity == .error }
        guard errors.isEmpty else {
            throw CommandFailure(errors.map(\.description).joined(separator: "\n"), .found)
        }
        digest = try await desk.store(files)
    }
}
