/// One file of a bundle.
package struct BundleFile: Sendable, Equatable {
    /// The path inside the bundle, with `/` between folders.
    package let path: String
    /// What the file holds.
    package let bytes: [UInt8]

    /// Makes a file.
    package init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }

    /// Makes a file of a text.
    package init(path: String, _ text: String) {
        self.init(path: path, bytes: Array(text.utf8))
    }

    /// The path's last part.
    var name: String { path.split(separator: "/").last.map(String.init) ?? path }

    /// Whether it is a prompt or a partial; other files only count for the bundle's version.
    var isPrompt: Bool { !path.contains("/") && name.hasSuffix(PromptFileName.suffix) }
}
