import Foundation

/// A lock on a file that the kernel lets go when the process ends, however it ends.
///
/// Owns the descriptor.
struct FolderLock: ~Copyable {
    private let descriptor: Int32

    /// Takes the lock; nil when another process, or this one, holds it.
    init?(_ path: String) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return nil }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
    }

    /// Lets the lock go; so does its end.
    consuming func release() {}

    /// Whether nobody holds the lock.
    static func isFree(_ path: String) -> Bool {
        guard let lock = FolderLock(path) else { return false }
        lock.release()
        return true
    }

    deinit { close(descriptor) }
}
