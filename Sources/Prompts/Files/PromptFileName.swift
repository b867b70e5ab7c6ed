/// What a prompt file's name says: `companion.prompt`, `companion.warm.prompt`, `_safety.prompt`.
package struct PromptFileName: Hashable, Sendable, CustomStringConvertible {
    /// Which prompt, or which partial.
    package let name: String
    /// Which variant of it; nil for the one that is used unless another is asked for.
    package let variant: String?
    /// Whether it is a partial.
    package let isPartial: Bool

    /// The end of every prompt file's name.
    package static let suffix = ".prompt"

    /// Names a prompt.
    package init(name: String, variant: String? = nil) {
        self.name = name
        self.variant = variant
        isPartial = false
    }

    /// Reads a file's name, without its folder.
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
