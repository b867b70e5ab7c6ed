/// The reason for which a private cluster does not run; each description says what to do.
package enum ClusterError: Error, Equatable, CustomStringConvertible {
    /// PostgreSQL's programs are not installed.
    case notInstalled(version: Int?)
    /// Another Hearth process runs a cluster in the folder.
    case inUse(folder: String)
    /// The process is root, which PostgreSQL refuses, and no other user exists.
    case noUser(name: String)
    /// The user that runs PostgreSQL could not create or enter the folder.
    case folder(path: String, reason: String)
    /// A program failed; carries the last lines of its output.
    case program(name: String, status: Int32, output: String)
    /// The server was not ready in time.
    case notReady(after: Duration, output: String)

    package var description: String {
        switch self {
        case .notInstalled(let version):
            "PostgreSQL\(version.map { " \($0)" } ?? "") is not installed; run: apt-get install postgresql"
        case .inUse(let folder): "another process keeps a private database in \(folder); stop it or name another folder"
        case .noUser(let name):
            "PostgreSQL does not run as root and there is no user \(name); run: apt-get install postgresql"
        case .folder(let path, let reason): "the folder \(path) cannot be used for the private database: \(reason)"
        case .program(let name, let status, let output): "\(name) ended with status \(status): \(output)"
        case .notReady(let time, let output):
            "the private database was not ready after \(time.components.seconds) s: \(output)"
        }
    }
}
