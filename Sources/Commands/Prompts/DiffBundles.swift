import Conversation
import Foundation
import Prompts

/// `hearth prompts diff`: prints the differences between two bundles.
enum DiffBundles: PromptAction {
    static let name = "diff"
    static let summary =
        "What the folder changes in the bundle in force, or one stored bundle in another; exits with 10."
    static let words = "[FROM [TO]]"

    static func run(_ call: PromptCall) async throws(CommandFailure) -> ExitCode {
        guard call.words.count <= 2 else { throw CommandFailure("hearth prompts diff \(words)", .usage) }
        return try await call.withReleases { desk in
            let from = try await old(call, desk)
            let to = call.words.count == 2 ? try await desk.files(of: call.words[1]).files : try call.files()
            let lines = BundleDifference(from: from, to: to).lines
            for line in lines { Terminal.out(line) }
            return lines.isEmpty ? .success : .found
        }
    }

    private static func old(_ call: PromptCall, _ desk: ReleaseDesk) async throws -> [BundleFile] {
        if let word = call.words.first { return try await desk.files(of: word).files }
        guard let release = try await desk.newest() else {
            throw CommandFailure("\(call.environment) follows its folder; name a stored bundle.", .missing)
        }
        return try await desk.files(of: release.bundle).files
    }
}
