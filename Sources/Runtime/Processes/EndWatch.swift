import CEvent
import Foundation

/// Waits on the calling thread until a process ends or a file in a folder changes.
///
/// Blocks, so it belongs on its own thread. Works for any process, not only for children.
package struct EndWatch: ~Copyable {
    /// The longest wait without a change; changes from before the watch are noticed after it.
    private static let longestWait = Duration.milliseconds(250)
    private static let changes = UInt32(IN_CREATE | IN_MODIFY | IN_CLOSE_WRITE | IN_MOVED_TO | IN_DELETE)
    private static let eventBytes = 4_096

    private let process: Int32
    private let folder: Int32

    /// Begins to watch.
    ///
    /// - Parameter folder: A folder whose files are watched too; nil watches none.
    package init(ofProcess pid: Int32, changesIn folder: String? = nil) {
        process = pidfd_open(pid, 0)
        self.folder = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        if let folder { inotify_add_watch(self.folder, folder, Self.changes) }
    }

    deinit {
        if process >= 0 { close(process) }
        if folder >= 0 { close(folder) }
    }

    /// Returns when the process has ended, a file has changed, a quarter of a second has passed, or the deadline is
    /// reached.
    package func wait(until deadline: Deadline) {
        let left = min(deadline.remaining(), Self.longestWait)
        var polls = [process, folder].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        poll(&polls, nfds_t(polls.count), Int32(max(0, left.milliseconds.rounded(.up))))
        var told = [UInt8](repeating: 0, count: Self.eventBytes)
        while folder >= 0, read(folder, &told, told.count) > 0 {}
    }
}
