import Conversation
import Foundation
import Prompts
import YAML

/// Reads and writes the lock beside the prompts.
struct LockKeeper: Sendable {
    private let file: URL
    private let environment: String

    init(_ call: PromptCall) {
        file = call.folder.url.appending(path: PromptLock.name)
        environment = call.environment
    }

    /// The lock; empty when there is none.
    func lock() throws(CommandFailure) -> PromptLock {
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { return PromptLock() }
        do throws(YAMLError) {
            return try PromptLock(text)
        } catch {
            throw CommandFailure("\(error)", .found)
        }
    }

    /// What the lock says of the environment; nil when it says nothing.
    func entry() throws(CommandFailure) -> PromptLock.Entry? { try lock().environments[environment] }

    /// Writes what is in force now.
    func write(_ entry: PromptLock.Entry) throws(CommandFailure) {
        var lock = try lock()
        lock.environments[environment] = entry
        do {
            try Data(lock.text.utf8).write(to: file, options: .atomic)
        } catch {
            throw CommandFailure(
                "The release is made, but \(file.path) cannot be written: \(error.localizedDescription)"
            )
        }
    }
}
