import CPostgres
import Foundation

/// A child process: its own process group, no descriptor of ours, default signals, output into a file.
///
/// Every call blocks or may; for a thread of its own. The thread that starts a child must outlive it when the child has
/// asked for its parent's death signal, for the kernel means the thread.
struct ChildProgram {
    /// The child's number, and its group's.
    let pid: pid_t

    /// Starts a program.
    static func start(_ command: [String], output: String) -> Result<ChildProgram, ClusterError> {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        posix_spawn_file_actions_addclosefrom_np(&actions, 3)
        posix_spawn_file_actions_addchdir_np(&actions, "/")
        setAttributes(&attributes)
        var pid: pid_t = 0
        let environment = ["PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", "TZ=UTC"]
        let status = mutableCStrings(command) { arguments in
            mutableCStrings(environment) { posix_spawn(&pid, command[0], &actions, &attributes, arguments, $0) }
        }
        guard status == 0 else {
            return .failure(.program(name: command[0], status: status, output: String(cString: strerror(status))))
        }
        return .success(ChildProgram(pid: pid))
    }

    /// Waits until the child has ended, and leaves its status to be collected.
    func waitForEnd() {
        var info = siginfo_t()
        while waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) < 0, errno == EINTR {}
    }

    /// Whether the child has ended; its status is left to be collected.
    var hasEnded: Bool {
        var info = siginfo_t()
        return waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT | WNOHANG) == 0 && info.si_signo != 0
    }

    /// Takes the status of a child that has ended: its exit status, or 128 and the signal that ended it.
    func collect() -> Int32 {
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        return status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f)
    }

    /// Runs a program to its end.
    static func run(_ command: [String], output: String) throws(ClusterError) {
        let status = try start(command, output: output).get().collect()
        guard status != 0 else { return }
        let said = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
        let tail = said.split(separator: "\n").suffix(3).joined(separator: " | ")
        throw .program(name: command.first { $0.hasSuffix("initdb") } ?? command[0], status: status, output: tail)
    }

    private static func setAttributes(_ attributes: inout posix_spawnattr_t) {
        var none = sigset_t()
        var all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
        posix_spawnattr_setflags(&attributes, Int16(flags))
    }

    private static func mutableCStrings<Value>(
        _ texts: [String],
        _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Value
    ) -> Value {
        var copies: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) }
        defer { copies.forEach { free($0) } }
        copies.append(nil)
        return copies.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { preconditionFailure("the array has at least its end") }
            return body(base)
        }
    }
}
