import Foundation

/// Watches folders through inotify and calls once their files have changed and then been quiet for a moment.
///
/// Confined to its loop: made and released on the loop's thread. Several steps or files of one save count as one
/// change. During a long series of changes it calls at intervals too.
package final class FolderWatcher {
    /// The time without changes after which a change is reported.
    private static let quietTime = Duration.milliseconds(40)
    /// The time after which a change is reported although others continue.
    private static let maximumWait = Duration.milliseconds(200)
    private static let events = UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE)
    private static let bufferSize = 16_384

    private let descriptor: Int32
    private let folders: () -> [String]
    private let changed: () -> Void
    private var socket: SocketWatcher?
    private var timer: LoopTimer?
    private var firstChange: Instant?

    /// Begins to watch.
    ///
    /// - Parameters:
    ///   - folders: Returns the folders to watch; called again after each change, since a folder may be new.
    ///   - changed: Called on the loop.
    /// - Returns: nil when the system has no watches left.
    package init?(_ loop: EventLoop, folders: @escaping () -> [String], _ changed: @escaping () -> Void) {
        precondition(loop.isCurrent, "folders are watched on a loop")
        descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        self.folders = folders
        self.changed = changed
        guard descriptor >= 0 else { return nil }
        guard watchFolders() else { return nil }
        timer = LoopTimer(loop) { [unowned self] in tell() }
        socket = SocketWatcher(loop, descriptor: descriptor) { [unowned self] _ in note() }
        socket?.wait(for: .readable)
    }

    /// Adds a watch for each folder; has no effect on watched folders.
    private func watchFolders() -> Bool {
        let watches = folders().map { inotify_add_watch(descriptor, $0, Self.events) }
        return !watches.isEmpty && watches.allSatisfy { $0 >= 0 }
    }

    private func note() {
        var buffer = [UInt8](repeating: 0, count: Self.bufferSize)
        while read(descriptor, &buffer, buffer.count) > 0 {}
        let now = Instant.now
        let first = firstChange ?? now
        firstChange = first
        timer?.start(
            at: min(Deadline(after: Self.quietTime, from: now), Deadline(after: Self.maximumWait, from: first))
        )
    }

    private func tell() {
        firstChange = nil
        _ = watchFolders()
        changed()
    }

    deinit {
        socket = nil
        if descriptor >= 0 { close(descriptor) }
    }
}
