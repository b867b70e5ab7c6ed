import Foundation

/// A folder of a test's own, removed when the test lets go of it.
final class ScratchFolder: Sendable {
    private let folder: String

    init() throws {
        folder = NSTemporaryDirectory() + "recall-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    /// The path of a file in the folder.
    func path(_ name: String) -> String { folder + "/" + name }

    deinit { try? FileManager.default.removeItem(atPath: folder) }
}
