import Cryptography
import Foundation

/// Where a private cluster lives: its data, its socket, its log and the lock that says that it is ours.
package struct ClusterFolder: Sendable, Equatable {
    /// The folder that holds all of it.
    package let path: String

    /// Takes a folder that the user can reach.
    package init(_ path: String) {
        self.path = path
    }

    /// The wanted folder if the user can reach it, or else one of its own under `/var/lib/hearth`.
    ///
    /// A folder below root's home is closed to `postgres`; the name of the other is made of the wanted one's digest, so
    /// that the next start finds it again.
    package static func reachable(wanted: String, by user: ClusterUser) -> ClusterFolder {
        let absolute = URL(filePath: wanted).standardizedFileURL.path(percentEncoded: false)
        guard !user.canReach(absolute) else { return ClusterFolder(absolute) }
        return ClusterFolder("/var/lib/hearth/\(Digest.sha256(absolute).hex.prefix(12))")
    }

    /// The data directory.
    var data: String { "\(path)/data" }
    /// What the server says.
    var log: String { "\(path)/postgres.log" }
    /// The lock.
    var lock: String { "\(path)/lock" }
    /// The process that runs on the data, in its first line.
    var postmasterFile: String { "\(data)/postmaster.pid" }

    /// The folder of the socket: this one, or one in `/tmp` when the socket's path would be too long for the kernel,
    /// which allows 107 bytes.
    var socket: String {
        let own = "\(path)/run"
        guard own.utf8.count + "/.s.PGSQL.5432".utf8.count > 107 else { return own }
        return "/tmp/hearth-\(Digest.sha256(path).hex.prefix(16))"
    }

    /// Where to connect.
    package func address(database: String = "postgres") -> PostgresAddress {
        PostgresAddress(parameters: ["host": socket, "port": "5432", "user": "postgres", "dbname": database])
    }

    /// Makes the folders, closed to everybody but the user.
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

    /// Whether no process keeps a cluster here; what is left of one may be removed.
    package var isAbandoned: Bool { FolderLock.isFree(lock) }

    /// The last lines of the server's log.
    var lastWords: String {
        let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").suffix(3).joined(separator: " | ")
    }

    private var lastError: String { String(cString: strerror(errno)) }
}
