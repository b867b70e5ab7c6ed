import Foundation

/// The name of a thread, by which a debugger and the kernel's accounts tell it from others.
enum ThreadName {
    /// Gives the calling thread a name, of which the kernel keeps 15 bytes.
    ///
    /// `Thread.name` reaches no thread on Linux, and glibc's function for it is not in the module that Swift sees.
    static func set(_ name: String) {
        let descriptor = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = write(descriptor, name, name.utf8.count)
        close(descriptor)
    }
}
