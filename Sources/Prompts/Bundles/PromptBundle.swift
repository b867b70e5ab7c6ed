package import Conversation
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
    ///   - files: Prompts and partials at the top level; all others, such as rule packs, count for the
    ///     version only.
    ///   - contracts: The prompts that must be there and what is supplied to each.
    package init(_ files: [BundleFile], contracts: [PromptContract] = PromptContract.all) throws(BundleError) {
        guard files.count <= Self.maximumFiles else {
            throw .tooManyFiles(files.count, limit: Self.maximumFiles)
        }
        let build = BundleBuild(files, contracts)
        guard build.faults.isEmpty else { throw .broken(build.faults) }
        prompts = build.prompts
        for contract in contracts where prompts[PromptFileName(name: contract.name)] == nil {
            throw .missingPrompt(contract.name)
        }
        digest = Self.digest(of: files)
    }

    /// The prompt of a name; the one without a variant when the variant is not there.
    package func prompt(_ name: String, variant: String? = nil) -> BundledPrompt? {
        prompts[PromptFileName(name: name, variant: variant)] ?? prompts[PromptFileName(name: name)]
    }

    /// Path and length go before each file's bytes, so that no two sets of files look alike.
    private static func digest(of files: [BundleFile]) -> Digest {
        var bytes: [UInt8] = []
        for file in files.sorted(by: { $0.path < $1.path }) {
            bytes += "\(file.path.utf8.count) \(file.path) \(file.bytes.count) ".utf8
            bytes += file.bytes
        }
        return Digest.sha256(bytes)
    }
}

/// A prompt of a bundle, ready to be rendered.
package struct BundledPrompt: Sendable {
    /// The file.
    package let file: PromptFile
    /// Its template with the partials.
    package let template: LinkedTemplate

    /// Renders the prompt with the variables that it declares, out of those that are supplied.
    package func render(
        _ supplied: TemplateObject,
        history: [Prompt.Message]
    ) throws(PromptError) -> [RenderedMessage] {
        let schema = file.settings.input
        let values = TemplateObject(
            fields: supplied.fields.filter { schema[$0.name] != nil || schema.others != nil }
        )
        do {
            let bound = try schema.bound(values, defaults: file.settings.defaults)
            return try template.render(bound, history: history)
        } catch let error as InputError {
            throw PromptError(error)
        } catch let error as RenderError {
            throw PromptError(error)
        } catch {
            throw .notRendered(reason: "\(error)")
        }
    }
}

extension PromptError {
    init(_ error: InputError) {
        switch error {
        case .missingVariable(let name): self = .missingVariable(name)
        case .otherType(let name, let expected): self = .notRendered(reason: "\(name) is not \(expected)")
        case .unknownVariable(let name): self = .notRendered(reason: "\(name) is not declared")
        }
    }

    init(_ error: RenderError) {
        switch error {
        case .missingVariable(let name, _): self = .missingVariable(name)
        default: self = .notRendered(reason: "\(error)")
        }
    }
}
