import Cryptography
import Foundation

/// The folder of a private cluster: data, socket, log and a lock that marks its owner.
package struct ClusterFolder: Sendable, Equatable {
    /// Path of the folder.
    package let path: String

    /// Sets the path of a folder that the user can reach.
    package init(_ path: String) {
        self.path = path
    }

    /// Returns the wanted folder if the user can reach it, or else a folder under `/var/lib/hearth`.
    ///
    /// `postgres` cannot enter a folder below root's home. The other folder's name contains a digest of the wanted
    /// path, so that the next start finds it again.
    package static func reachable(wanted: String, by user: ClusterUser) -> ClusterFolder {
        let absolute = URL(filePath: wanted).standardizedFileURL.path(percentEncoded: false)
        guard !user.canReach(absolute) else { return ClusterFolder(absolute) }
        return ClusterFolder("/var/lib/hearth/\(Digest.sha256(absolute).hex.prefix(12))")
    }

    /// Path of the data directory.
    var data: String { "\(path)/data" }
    /// Path of the server's log.
    var log: String { "\(path)/postgres.log" }
    /// Path of the lock file.
    var lock: String { "\(path)/lock" }
    /// Path of PostgreSQL's own lock file, whose first line is the server's process number.
    var postmasterFile: String { "\(data)/postmaster.pid" }

    /// Folder of the socket: this folder, or one in `/tmp` when the socket's path exceeds the kernel's 107 bytes.
    var socket: String {
        let own = "\(path)/run"
        guard own.utf8.count + "/.s.PGSQL.5432".utf8.count > 107 else { return own }
        return "/tmp/hearth-\(Digest.sha256(path).hex.prefix(16))"
    }

    /// Returns the address for connections.
    package func address(database: String = "postgres") -> PostgresAddress {
        PostgresAddress(parameters: ["host": socket, "port": "5432", "user": "postgres", "dbname": database])
    }

    /// Creates the folders with access for the user only.
    func make(for user: ClusterUser) throws(ClusterError) {
        for folder in [path, socket] {
            do {
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            } catch {
                throw .folder(path: folder, reason: error.localizedDescription)
            }
            if user.mustSwitch, chown(folder, user.uid, user.gid) != 0 {
                throw .folder(path: folder, reason: lastError)
            }
            if chmod(folder, 0o700) != 0 { throw .folder(path: folder, reason: lastError) }
        }
        guard user.canReach(data) else {
            throw .folder(path: path, reason: "\(user.name) may not pass through the folders above it")
        }
    }

    /// True when no process keeps a cluster here, so that its remains may be removed.
    package var isAbandoned: Bool { FolderLock.isFree(lock) }

    /// The last lines of the server's log.
    var lastWords: String {
        let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").suffix(3).joined(separator: " | ")
    }

    private var lastError: String { String(cString: strerror(errno)) }
}
