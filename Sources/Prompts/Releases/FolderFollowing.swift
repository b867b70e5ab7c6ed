import Foundation
package import Runtime

/// Has a folder's files read again whenever they change, while the service runs.
///
/// An actor on the loop that watches. Where the system gives no watch the service goes on, and says that files are read
/// again only when it is asked.
package actor FolderFollowing: Service {
    /// What the log calls it.
    package nonisolated let name = "folder_following"
    private nonisolated let loop: EventLoop
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let folder: PromptFolder
    private let log: Log
    private let changed: @Sendable () -> Void
    private var watch: FolderWatch?

    /// Makes it; nothing is watched yet.
    ///
    /// - Parameter changed: Called on the loop, so it hands on what takes time.
    package init(_ folder: PromptFolder, on loop: EventLoop, log: Log, changed: @escaping @Sendable () -> Void) {
        self.folder = folder
        self.loop = loop
        self.log = log
        self.changed = changed
    }

    /// Begins to watch, and asks once for what has changed before.
    package func start() {
        let folder = folder
        watch = FolderWatch(loop, folders: { folder.folders.map(\.path) }, changed)
        if watch == nil { log.warning("files_not_watched", "folder" ~ folder.url.path) }
        changed()
    }

    package func drain(by deadline: Deadline) { watch = nil }

    /// A watch that was never drained is let go of on its loop all the same.
    isolated deinit { watch = nil }
}
