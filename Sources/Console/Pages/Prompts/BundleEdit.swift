import Foundation
import Prompts

/// One file of a bundle with other text: a new bundle, which leaves the old one as it is.
struct BundleEdit: Sendable {
    /// The most bytes of a file's text.
    static let mostBytes = 200_000
    /// The most bytes of a form with a file's text, each of whose bytes may be written as three.
    static let formBytes = 640_000

    /// The bundle that the text began in.
    let base: ShelvedBundle
    /// Which file.
    let path: String
    /// Its new text.
    let text: String

    /// Reads an edit; nil when the bundle has no such file that may be edited, or the text is too long.
    init?(_ base: ShelvedBundle, path: String, text: String) {
        guard Self.isEditable(path), base.file(path) != nil, text.utf8.count <= Self.mostBytes else { return nil }
        self.base = base
        self.path = path
        self.text = text
    }

    /// The new bundle's files.
    var files: [BundleFile] {
        base.files.map { $0.path == path ? BundleFile(path: path, text) : $0 }
    }

    /// Whether anything differs.
    var isChange: Bool { base.file(path)?.bytes != Array(text.utf8) }

    /// Whether a file is edited as text: prompts, rules, lines and routing.
    ///
    /// Detectors are not: training alone changes them.
    static func isEditable(_ path: String) -> Bool {
        path.hasSuffix(PromptFileName.suffix)
            || path.hasSuffix(".yaml") && (!path.contains("/") || path.hasPrefix("rules/"))
    }
}
