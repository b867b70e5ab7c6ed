package import Foundation
import YAML

/// Reads and writes one environment's entry of the lock file; blocks on the disk.
package struct PromptLockFile: Sendable {
    /// Reasons why the lock could not be used.
    package enum Failure: Error, Equatable {
        /// The file has other content.
        case unreadable(path: String, reason: String)
        /// The file cannot be written, for example in a read-only image.
        case unwritable(path: String, reason: String)
    }

    private let file: URL
    private let environment: String

    package init(folder: URL, environment: String) {
        file = folder.appending(path: PromptLock.name)
        self.environment = environment
    }

    /// The environment's entry; nil without an entry or file.
    package func entry() throws(Failure) -> PromptLock.Entry? { try lock().environments[environment] }

    /// Writes the environment's active bundle and leaves the others unchanged.
    package func write(_ entry: PromptLock.Entry) throws(Failure) {
        var lock = try lock()
        guard lock.environments[environment] != entry else { return }
        lock.environments[environment] = entry
        try write(lock)
    }

    /// Records that a model is trusted with a bundle.
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

    /// Reads the whole lock; empty without a file.
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
