import Foundation

/// A folder of a test's own, removed when the test releases it.
package final class ScratchFolder: Sendable {
    private let folder: String

    /// Makes an empty folder.
    package init() throws {
        folder = NSTemporaryDirectory() + "hearth-test-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    /// The path of a file in the folder.
    package func path(_ name: String) -> String { folder + "/" + name }

    deinit { try? FileManager.default.removeItem(atPath: folder) }
}
