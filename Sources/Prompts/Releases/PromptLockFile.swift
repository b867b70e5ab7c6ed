package import Foundation
import YAML

/// The lock beside the prompts, as the changes of one environment read and write it; blocks on the disk.
package struct PromptLockFile: Sendable {
    /// Why the lock could not be used.
    package enum Failure: Error, Equatable {
        /// It holds something else.
        case unreadable(path: String, reason: String)
        /// It cannot be written, as where the folder belongs to an image.
        case unwritable(path: String, reason: String)
    }

    private let file: URL
    private let environment: String

    /// Names the lock of a folder.
    package init(folder: URL, environment: String) {
        file = folder.appending(path: PromptLock.name)
        self.environment = environment
    }

    /// What the lock says of the environment; nil when it says nothing, or there is none.
    package func entry() throws(Failure) -> PromptLock.Entry? { try lock().environments[environment] }

    /// Writes what is in force in the environment now, and leaves the others as they are.
    package func write(_ entry: PromptLock.Entry) throws(Failure) {
        var lock = try lock()
        guard lock.environments[environment] != entry else { return }
        lock.environments[environment] = entry
        try write(lock)
    }

    /// Writes that a model is trusted with a bundle.
    package func trust(_ model: TrustedModel) throws(Failure) {
        var lock = try lock()
        lock.trust(model)
        try write(lock)
    }

    private func write(_ lock: PromptLock) throws(Failure) {
        do {
            try Data(lock.text.utf8).write(to: file, options: .atomic)
        } catch {
            throw .unwritable(path: file.path, reason: error.localizedDescription)
        }
    }

    /// Reads the whole lock; an empty one where there is no file.
    package func lock() throws(Failure) -> PromptLock {
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { return PromptLock() }
        do throws(YAMLError) {
            return try PromptLock(text)
        } catch {
            throw .unreadable(path: file.path, reason: "\(error)")
        }
    }
}

extension PromptLockFile.Failure: CustomStringConvertible {
    /// A clause for the operator.
    package var description: String {
        switch self {
        case .unreadable(let path, let reason): "\(path) is no lock: \(reason)"
        case .unwritable(let path, let reason): "\(path) cannot be written: \(reason)"
        }
    }
}
