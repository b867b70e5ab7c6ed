import Foundation
import Prompts

/// A draft: a new bundle that differs from its base in the text of one file.
struct BundleEdit: Sendable {
    /// Limit on the size of a file, in bytes.
    static let mostBytes = 200_000
    /// Limit on the size of the form, in bytes.
    ///
    /// Form encoding may write each byte as three.
    static let formBytes = 640_000

    /// The bundle on which the draft is based.
    let base: ShelvedBundle
    /// Path of the edited file.
    let path: String
    /// New text of the file.
    let text: String

    /// Validates an edit; nil if the file is unknown or not editable, or the text is too long.
    init?(_ base: ShelvedBundle, path: String, text: String) {
        guard Self.isEditable(path), base.file(path) != nil, text.utf8.count <= Self.mostBytes else { return nil }
        self.base = base
        self.path = path
        self.text = text
    }

    /// Files of the new bundle.
    var files: [BundleFile] {
        base.files.map { $0.path == path ? BundleFile(path: path, text) : $0 }
    }

    /// Whether the text differs from the base.
    var isChange: Bool { base.file(path)?.bytes != Array(text.utf8) }

    /// Whether a file is edited as text: prompts, rules, canned lines and routing.
    ///
    /// Detectors are excluded; only training changes them.
    static func isEditable(_ path: String) -> Bool {
        path.hasSuffix(PromptFileName.suffix)
            || path.hasSuffix(".yaml") && (!path.contains("/") || path.hasPrefix("rules/"))
    }
}
