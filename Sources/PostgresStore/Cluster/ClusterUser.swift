import Foundation

/// The user that runs PostgreSQL, which refuses to run as root.
package struct ClusterUser: Sendable, Equatable {
    /// Name of the user.
    package let name: String
    /// Numeric identity of the user.
    package let uid: UInt32
    /// Numeric identity of the user's group.
    package let gid: UInt32

    /// True when this process must switch to the user.
    package var mustSwitch: Bool { geteuid() != uid }

    /// Returns the process's own user, or `postgres` when that is root.
    package static func current() throws(ClusterError) -> ClusterUser {
        let isRoot = geteuid() == 0
        guard let entry = isRoot ? getpwnam("postgres") : getpwuid(geteuid()) else {
            throw .noUser(name: isRoot ? "postgres" : "\(geteuid())")
        }
        let user = entry.pointee
        return ClusterUser(name: String(cString: user.pw_name), uid: user.pw_uid, gid: user.pw_gid)
    }

    /// Returns the command line that runs a program as the user and stops it when the parent dies.
    ///
    /// `setpriv` belongs to util-linux, which every Debian has. SIGINT is PostgreSQL's fast shutdown.
    func command(_ program: String, _ arguments: [String]) -> [String] {
        var command = ["/usr/bin/setpriv"]
        if mustSwitch { command += ["--reuid=\(uid)", "--regid=\(gid)", "--clear-groups"] }
        return command + ["--pdeathsig=INT", "--", program] + arguments
    }

    /// Returns true when the user may enter every folder above a path; the path itself need not exist.
    package func canReach(_ path: String) -> Bool {
        guard mustSwitch else { return true }
        var folder = (path as NSString).deletingLastPathComponent
        while folder != "/", !folder.isEmpty {
            var status = stat()
            if stat(folder, &status) == 0, !mayEnter(status) { return false }
            folder = (folder as NSString).deletingLastPathComponent
        }
        return true
    }

    private func mayEnter(_ status: stat) -> Bool {
        if status.st_uid == uid { return status.st_mode & S_IXUSR != 0 }
        if status.st_gid == gid { return status.st_mode & S_IXGRP != 0 }
        return status.st_mode & S_IXOTH != 0
    }
}
