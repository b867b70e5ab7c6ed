/// The parsed name of a prompt file: `companion.prompt`, `companion.warm.prompt`, `_safety.prompt`.
package struct PromptFileName: Hashable, Sendable, CustomStringConvertible {
    /// The name of the prompt or partial.
    package let name: String
    /// The variant; nil for the default one.
    package let variant: String?
    /// True for a partial.
    package let isPartial: Bool

    /// The suffix of every prompt file.
    package static let suffix = ".prompt"

    package init(name: String, variant: String? = nil) {
        self.name = name
        self.variant = variant
        isPartial = false
    }

    /// Reads a file name without folder.
    package init(file: String) throws(PromptSourceError) {
        let isPartial = file.hasPrefix("_")
        let stem = file.dropFirst(isPartial ? 1 : 0).dropLast(Self.suffix.count)
        let parts = stem.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard file.hasSuffix(Self.suffix), parts.allSatisfy(\.isTemplateName), isPartial || parts.count <= 2
        else {
            throw PromptSourceError(file: file, .start, .badFileName(file))
        }
        self.isPartial = isPartial
        name = isPartial ? String(stem) : parts[0]
        variant = !isPartial && parts.count == 2 ? parts[1] : nil
    }

    /// The file's name.
    package var description: String {
        (isPartial ? "_" : "") + name + (variant.map { "." + $0 } ?? "") + Self.suffix
    }
}
