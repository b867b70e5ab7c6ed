/// The reason for which a database was not copied to a file or back.
package enum BackupError: Error, Equatable, CustomStringConvertible {
    /// PostgreSQL's programs are not on this machine.
    case programsMissing
    /// A program ended with a failure; carries the end of its output.
    case program(name: String, status: Int32, output: String)
    /// The database could not be reached.
    case unreachable(reason: String)
    /// The database refused a statement.
    case refused(code: String, message: String)
    /// The schema does not exist.
    case notMigrated
    /// The database contains tables already.
    case notEmpty(tables: Int)
    /// The copy's schema is newer than this program's.
    case newer(version: Int, known: Int)
    /// The copy's schema has a checksum that this program does not know.
    case foreign(version: Int)
    /// After the copy, tables hold other rows than before; nothing was kept.
    case mismatch(tables: [String])

    package var description: String {
        switch self {
        case .programsMissing: "pg_dump and pg_restore are missing; run: apt-get install postgresql"
        case .program(let name, let status, let output): "\(name) ended with status \(status): \(output)"
        case .unreachable(let reason): "the database cannot be reached: \(reason)"
        case .refused(let code, let message): "the database refused it (\(code)): \(message)"
        case .notMigrated: "the database is not migrated; there is nothing to copy"
        case .notEmpty(let tables): "the database holds \(tables) tables; a backup is restored into an empty one alone"
        case .newer(let version, let known):
            "the backup has schema \(version), and this program knows \(known); use a program as new as the backup's"
        case .foreign(let version): "schema \(version) of the backup is none of this program's"
        case .mismatch(let tables): "after the copy these tables differ: \(tables.joined(separator: ", "))"
        }
    }
}
