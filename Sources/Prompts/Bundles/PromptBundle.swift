package import Cryptography

/// Everything that is tuned together, as one immutable value: a turn that holds it sees no later change.
package struct PromptBundle: Sendable {
    /// The most files in a bundle.
    package static let maximumFiles = 500

    /// The digest of all files: equal exactly when every path and every byte is.
    package let digest: Digest
    /// The prompts, proven to render whatever their contract supplies.
    package let prompts: [PromptFileName: BundledPrompt]

    /// The digest's first 12 hexadecimal digits, by which replies, traces and eval rows name the bundle.
    package var version: String { String(digest.hex.prefix(12)) }

    /// Reads, links and checks a set of files; a few milliseconds for a folder of the usual size.
    ///
    /// - Parameters:
    ///   - files: Prompts and partials at the top level; `routing.yaml` is checked too; all others, such as
    ///     rule packs, count for the version only.
    ///   - contracts: The prompts that the service asks for and what is supplied to each; those that it needs must be there.
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

    /// The prompt of a name; the one without a variant when the variant is not there.
    package func prompt(_ name: String, variant: String? = nil) -> BundledPrompt? {
        prompts[PromptFileName(name: name, variant: variant)] ?? prompts[PromptFileName(name: name)]
    }
}
