/// Reasons why a bundle was not loaded; the previous one stays active.
package enum BundleError: Error, Equatable, Sendable {
    /// Files are faulty; carries every fault in order of file and position.
    case broken([PromptSourceError])
    /// A prompt that the service needs is missing.
    case missingPrompt(String)
    /// A file or a folder is unreadable.
    case unreadable(path: String, reason: String)
    /// The rules or lines are faulty; the reason begins with file and line.
    case badRules(reason: String)
    /// A stored bundle is missing, or its bytes do not match its digest.
    case notStored(digest: String)
    /// The bundle has more than `limit` files.
    case tooManyFiles(Int, limit: Int)
}

extension BundleError: CustomStringConvertible {
    /// A line for each fault.
    package var description: String {
        switch self {
        case .broken(let faults): faults.map(\.description).joined(separator: "\n")
        case .missingPrompt(let name): "there is no \(name)\(PromptFileName.suffix)"
        case .unreadable(let path, let reason): "\(path): \(reason)"
        case .badRules(let reason): reason
        case .notStored(let digest): "the bundle \(digest.prefix(12)) is not stored, or not as it was"
        case .tooManyFiles(let count, let limit): "\(count) files, and at most \(limit) are read"
        }
    }
}
