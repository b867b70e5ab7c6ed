/// Why a bundle was not loaded; the one before stays.
package enum BundleError: Error, Equatable, Sendable {
    /// Files are wrong; every fault that was found, in order of file and place.
    case broken([PromptSourceError])
    /// A prompt that the service asks for is not there.
    case missingPrompt(String)
    /// A file or a folder could not be read.
    case unreadable(path: String, reason: String)
    /// The rules or lines are wrong, with the file and the line.
    case badRules(reason: String)
    /// A stored bundle is not there, or its bytes are not those of its digest.
    case notStored(digest: String)
    /// There are more files than `limit`.
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
