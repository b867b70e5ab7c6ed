import Cryptography
import Foundation
import SQLite

/// The encrypted file of last known rows; without the key neither their names nor their contents can be read.
///
/// A row's name is a keyed digest. Its content is sealed with its kind, name and time, so that no row can replace
/// another or appear younger.
///
/// `@unchecked Sendable`: every method is called on the one thread of ``LastKnownStore``.
final class LastKnownFile: @unchecked Sendable {
    /// The subject of a row.
    enum Kind: Int64 { case key = 1, patient = 2 }

    private let path: String
    private let names: MessageAuthentication
    private let contents: AuthenticatedEncryption
    private var open: SQLiteConnection?

    init(_ path: String, secret: [UInt8]) {
        self.path = path
        let root = MessageAuthentication(key: secret)
        names = MessageAuthentication(key: root.code(for: Array("names".utf8)))
        contents = AuthenticatedEncryption(key: root.code(for: Array("contents".utf8)))
    }

    /// Writes a row and replaces the one of the same name.
    func put(_ content: [UInt8], _ kind: Kind, _ name: String, at seconds: Int64) throws(SQLiteError) {
        let digest = digest(kind, name)
        let insert = try connection().statement(
            "INSERT OR REPLACE INTO known (kind, name, at, content) VALUES (?1, ?2, ?3, ?4)"
        )
        insert.bind(kind.rawValue, at: 1)
        insert.bind(digest, at: 2)
        insert.bind(seconds, at: 3)
        insert.bind(Base64URL.text(of: contents.seal(content, in: context(kind, digest, seconds))), at: 4)
        try insert.run()
    }

    /// Returns a row written since the given time; nil when there is none or another key sealed it.
    func content(_ kind: Kind, _ name: String, since seconds: Int64) throws(SQLiteError) -> (bytes: [UInt8], at: Int64)?
    {
        let digest = digest(kind, name)
        let select = try connection().statement(
            "SELECT at, content FROM known WHERE kind = ?1 AND name = ?2 AND at >= ?3"
        )
        defer { select.reset() }
        select.bind(kind.rawValue, at: 1)
        select.bind(digest, at: 2)
        select.bind(seconds, at: 3)
        guard try select.step() else { return nil }
        return opened(select.text(1), kind, digest, at: select.integer(0))
    }

    /// Returns all rows of a kind written since the given time.
    func contents(_ kind: Kind, since seconds: Int64) throws(SQLiteError) -> [[UInt8]] {
        let select = try connection().statement("SELECT name, at, content FROM known WHERE kind = ?1 AND at >= ?2")
        defer { select.reset() }
        select.bind(kind.rawValue, at: 1)
        select.bind(seconds, at: 2)
        var found: [[UInt8]] = []
        while try select.step() {
            if let row = opened(select.text(2), kind, select.text(0), at: select.integer(1)) { found.append(row.bytes) }
        }
        return found
    }

    /// Removes a row.
    func remove(_ kind: Kind, _ name: String) throws(SQLiteError) {
        let delete = try connection().statement("DELETE FROM known WHERE kind = ?1 AND name = ?2")
        delete.bind(kind.rawValue, at: 1)
        delete.bind(digest(kind, name), at: 2)
        try delete.run()
    }

    /// Removes a row and its traces in the file.
    func erase(_ kind: Kind, _ name: String) throws(SQLiteError) {
        try remove(kind, name)
        try connection().execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    /// Removes rows written before the given time.
    func removeAll(before seconds: Int64) throws(SQLiteError) {
        let delete = try connection().statement("DELETE FROM known WHERE at < ?1")
        delete.bind(seconds, at: 1)
        try delete.run()
    }

    func close() {
        open = nil
    }

    private func opened(_ text: String, _ kind: Kind, _ digest: String, at: Int64) -> (bytes: [UInt8], at: Int64)? {
        guard let sealed = Base64URL.bytes(of: text),
            let bytes = contents.open(sealed, in: context(kind, digest, at))
        else { return nil }
        return (bytes, at)
    }

    private func digest(_ kind: Kind, _ name: String) -> String {
        Hexadecimal.text(of: names.code(for: Array("\(kind.rawValue) \(name)".utf8)))
    }

    private func context(_ kind: Kind, _ digest: String, _ seconds: Int64) -> [UInt8] {
        Array("\(kind.rawValue) \(digest) \(seconds)".utf8)
    }

    private func connection() throws(SQLiteError) -> SQLiteConnection {
        if let open { return open }
        let descriptor = Foundation.open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        if descriptor >= 0 { Foundation.close(descriptor) }
        let connection = try SQLiteConnection(path)
        try connection.execute(
            """
            PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
            PRAGMA secure_delete = ON;
            CREATE TABLE IF NOT EXISTS known (
                kind INTEGER NOT NULL, name TEXT NOT NULL, at INTEGER NOT NULL, content TEXT NOT NULL,
                PRIMARY KEY (kind, name)
            ) WITHOUT ROWID;
            """
        )
        open = connection
        return connection
    }
}
