import SQLite

/// The tables of the memory cache, and the space of its vectors.
enum MemorySchema {
    /// The version of the tables; a file with another version is rebuilt.
    static let version: Int64 = 2

    /// Creates the tables in an empty file, and checks those of any other.
    ///
    /// - Throws: ``SQLiteError/outdated`` when the file has another version or vectors of another space.
    static func prepare(_ connection: SQLiteConnection, space: String, dimension: Int) throws(SQLiteError) {
        if try userVersion(connection) == 0 {
            try connection.transaction { () throws(SQLiteError) in
                try connection.execute(tables)
                try name(space, dimension, connection)
            }
        }
        guard try isCurrent(connection, space, dimension) else { throw .outdated }
        try connection.execute(RemovalRows.table)
    }

    private static let tables = """
        CREATE TABLE vector_space (name TEXT NOT NULL, dimension INTEGER NOT NULL) STRICT;
        CREATE TABLE patients (
            number INTEGER PRIMARY KEY, tenant BLOB NOT NULL, patient BLOB NOT NULL, through INTEGER NOT NULL,
            UNIQUE (patient, tenant)
        ) STRICT;
        CREATE TABLE memories (
            row INTEGER PRIMARY KEY, id BLOB NOT NULL, at REAL NOT NULL, text TEXT NOT NULL, vector BLOB NOT NULL
        ) STRICT;
        CREATE VIRTUAL TABLE memory_words USING fts5 (
            text, content = 'memories', content_rowid = 'row',
            tokenize = "unicode61 remove_diacritics 2"
        );
        PRAGMA user_version = \(version);
        """

    private static func name(
        _ space: String,
        _ dimension: Int,
        _ connection: SQLiteConnection
    ) throws(SQLiteError) {
        let insert = try connection.statement("INSERT INTO vector_space VALUES (?1, ?2)")
        insert.bind(space, at: 1)
        insert.bind(Int64(dimension), at: 2)
        try insert.run()
    }

    private static func userVersion(_ connection: SQLiteConnection) throws(SQLiteError) -> Int64 {
        let pragma = try connection.statement("PRAGMA user_version")
        defer { pragma.reset() }
        return try pragma.step() ? pragma.integer(0) : 0
    }

    private static func isCurrent(
        _ connection: SQLiteConnection,
        _ space: String,
        _ dimension: Int
    ) throws(SQLiteError) -> Bool {
        guard try userVersion(connection) == version else { return false }
        let select = try connection.statement("SELECT name, dimension FROM vector_space")
        defer { select.reset() }
        return try select.step() && select.text(0) == space && select.integer(1) == Int64(dimension)
    }
}
