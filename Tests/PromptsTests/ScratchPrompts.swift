import Foundation

@testable import Prompts

/// A folder of prompts of its own, removed with its last user.
final class ScratchPrompts: Sendable {
    let url = FileManager.default.temporaryDirectory.appending(path: "prompts-\(UUID())")

    var folder: PromptFolder { PromptFolder(url) }

    /// Makes a folder whose companion says a text.
    init(_ text: String) throws {
        try write(text)
    }

    /// Has the companion, and everything that is tuned with it, say a text.
    ///
    /// The rules are written first, so that whoever reads in between finds two texts in one folder.
    func write(_ text: String) throws {
        try folder.write(ScriptedBundle.files(text).reversed())
    }

    deinit { try? FileManager.default.removeItem(at: url) }
}
