import Foundation
package import Runtime

/// Reloads a folder's files whenever they change while the service runs.
///
/// An actor on the loop that watches. Without a watch from the system the service continues, and logs that files are
/// reloaded only on request.
package actor FolderFollowing: Service {
    /// The name in the log.
    package nonisolated let name = "folder_following"
    private nonisolated let loop: EventLoop
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let folder: PromptFolder
    private let log: Log
    private let changed: @Sendable () -> Void
    private var watch: FolderWatch?

    /// Makes it without watching yet.
    ///
    /// - Parameter changed: Called on the loop, so it must pass on slow work.
    package init(_ folder: PromptFolder, on loop: EventLoop, log: Log, changed: @escaping @Sendable () -> Void) {
        self.folder = folder
        self.loop = loop
        self.log = log
        self.changed = changed
    }

    /// Begins to watch and reports once, for changes before the start.
    package func start() {
        let folder = folder
        watch = FolderWatch(loop, folders: { folder.folders.map(\.path) }, changed)
        if watch == nil { log.warning("files_not_watched", "folder" ~ folder.url.path) }
        changed()
    }

    package func drain(by deadline: Deadline) { watch = nil }

    /// Releases an undrained watch on its loop.
    isolated deinit { watch = nil }
}
