/// The reason for which a migration stopped, wholly or after a step.
package enum MigrationError: Error, Equatable, CustomStringConvertible {
    /// No connection could be established.
    case unreachable(reason: String)
    /// A recorded step differs from this program's text.
    case changed(version: Int, name: String, recorded: String, expected: String)
    /// The database has steps that this program does not know; a newer program migrated it.
    case unknown(version: Int, name: String)
    /// The requested version does not exist.
    case noSuchVersion(Int, newest: Int)
    /// A step failed and was rolled back; earlier steps stand.
    case failed(version: Int, name: String, code: String, message: String)
    /// The registry of steps could not be read or written.
    case registry(code: String, message: String)
    /// Another process held the migration lock for the whole time.
    case locked(after: Duration)
    /// The work was cancelled before it could begin.
    case stopped

    package var description: String {
        switch self {
        case .unreachable(let reason): "the database cannot be reached: \(reason)"
        case .changed(let version, let name, let recorded, let expected):
            "migration \(version) (\(name)) was applied with another text: the database has checksum "
                + "\(recorded.prefix(12)), this program \(expected.prefix(12)); released migrations are never edited"
        case .unknown(let version, let name):
            "the database has migration \(version) (\(name)), which this program does not know; use a newer program"
        case .noSuchVersion(let version, let newest):
            "there is no migration \(version); the newest is \(newest)"
        case .failed(let version, let name, let code, let message):
            "migration \(version) (\(name)) failed and was taken back: \(message) (\(code))"
        case .registry(let code, let message): "the registry of migrations cannot be used: \(message) (\(code))"
        case .locked(let time): "another process has been migrating the database for \(time.components.seconds) s"
        case .stopped: "the migration was stopped before it began"
        }
    }
}
