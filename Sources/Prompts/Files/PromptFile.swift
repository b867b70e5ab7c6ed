/// One `.prompt` file, read and parsed.
package struct PromptFile: Sendable {
    /// Its name and variant.
    package let name: PromptFileName
    /// What its front matter sets.
    package let settings: PromptSettings
    /// Its template.
    package let template: Template

    /// Reads a file.
    ///
    /// - Parameter source: The file's text; its name is the file's, without the folder.
    package init(_ source: SourceText) throws(PromptSourceError) {
        let name = try PromptFileName(file: source.file)
        let frontMatter = try FrontMatter(source)
        var reader = SettingsReader(name, file: source.file)
        self.name = name
        settings = try reader.settings(frontMatter.settings)
        template = try Template(source, frontMatter.body)
    }

    /// Reads a partial, which is a template and nothing else.
    package static func partial(_ source: SourceText) throws(PromptSourceError) -> Template {
        guard !FrontMatter.begins(source) else {
            throw PromptSourceError(file: source.file, .start, .frontMatterInPartial)
        }
        return try Template(source)
    }
}
