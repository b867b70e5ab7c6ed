/// One file of a bundle.
package struct BundleFile: Sendable, Equatable {
    /// The path inside the bundle, with `/` as separator.
    package let path: String
    /// The content of the file.
    package let bytes: [UInt8]

    package init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }

    package init(path: String, _ text: String) {
        self.init(path: path, bytes: Array(text.utf8))
    }

    /// The last component of the path.
    var name: String { path.split(separator: "/").last.map(String.init) ?? path }

    /// True for a prompt or a partial; other files only count for the bundle's version.
    var isPrompt: Bool { !path.contains("/") && name.hasSuffix(PromptFileName.suffix) }
}
