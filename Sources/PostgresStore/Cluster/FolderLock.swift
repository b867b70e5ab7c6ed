import Foundation

/// A file lock that the kernel releases when the process ends, however it ends.
///
/// Owns the descriptor.
struct FolderLock: ~Copyable {
    private let descriptor: Int32

    /// Takes the lock; returns nil when this or another process holds it.
    init?(_ path: String) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return nil }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
    }

    /// Releases the lock; the end of the value does the same.
    consuming func release() {}

    /// Returns true when nobody holds the lock.
    static func isFree(_ path: String) -> Bool {
        guard let lock = FolderLock(path) else { return false }
        lock.release()
        return true
    }

    deinit { close(descriptor) }
}
