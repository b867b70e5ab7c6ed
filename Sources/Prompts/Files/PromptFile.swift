/// A `.prompt` file, read and parsed.
package struct PromptFile: Sendable {
    /// The name and variant.
    package let name: PromptFileName
    /// The settings of the front matter.
    package let settings: PromptSettings
    /// The template.
    package let template: Template

    /// Reads a file.
    ///
    /// - Parameter source: The file's text, named without the folder.
    package init(_ source: SourceText) throws(PromptSourceError) {
        let name = try PromptFileName(file: source.file)
        let frontMatter = try FrontMatter(source)
        var reader = SettingsReader(name, file: source.file)
        self.name = name
        settings = try reader.settings(frontMatter.settings)
        template = try Template(source, frontMatter.body)
    }

    /// Reads a partial, which consists of a template only.
    package static func partial(_ source: SourceText) throws(PromptSourceError) -> Template {
        guard !FrontMatter.begins(source) else {
            throw PromptSourceError(file: source.file, .start, .frontMatterInPartial)
        }
        return try Template(source)
    }
}
