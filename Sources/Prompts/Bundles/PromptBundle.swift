package import Cryptography

/// All tuned parts as one immutable value; a turn that holds it sees no later change.
package struct PromptBundle: Sendable {
    /// The maximum number of files in a bundle.
    package static let maximumFiles = 500

    /// The digest of all files, equal exactly for equal paths and bytes.
    package let digest: Digest
    /// The prompts, verified to render all inputs of their contracts.
    package let prompts: [PromptFileName: BundledPrompt]

    /// The first 12 hexadecimal digits of the digest; replies, traces and evaluations name the bundle by it.
    package var version: String { String(digest.hex.prefix(12)) }

    /// Reads, links and checks a set of files; a usual folder takes a few milliseconds.
    ///
    /// - Parameters:
    ///   - files: Prompts and partials at the top level, and `routing.yaml`, are checked. Other files, such as rule
    ///     packs, count only for the version.
    ///   - contracts: The prompts that the service needs, with their variables. Required prompts must be present.
    package init(_ files: [BundleFile], contracts: [PromptContract] = PromptContract.all) throws(BundleError) {
        guard files.count <= Self.maximumFiles else {
            throw .tooManyFiles(files.count, limit: Self.maximumFiles)
        }
        let build = BundleBuild(files, contracts)
        guard build.faults.isEmpty else { throw .broken(build.faults) }
        prompts = build.prompts
        for contract in contracts where contract.isRequired && prompts[PromptFileName(name: contract.name)] == nil {
            throw .missingPrompt(contract.name)
        }
        _ = try RoutingFile.routing(in: files)
        digest = BundleArchive(files).digest
    }

    /// The prompt with a name; falls back to the one without variant.
    package func prompt(_ name: String, variant: String? = nil) -> BundledPrompt? {
        prompts[PromptFileName(name: name, variant: variant)] ?? prompts[PromptFileName(name: name)]
    }
}
