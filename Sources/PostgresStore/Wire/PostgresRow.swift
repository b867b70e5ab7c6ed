package import Conversation

/// Reads the columns of one row, from left to right.
package struct PostgresRow {
    private let result: PostgresResult
    private let row: Int32
    private var column: Int32 = 0

    init(of result: PostgresResult, _ row: Int) {
        self.result = result
        self.row = Int32(row)
    }

    /// Reads the next column.
    ///
    /// - Throws: ``RecordsError/unreadable(column:reason:)`` when it is null, of another type, malformed or missing.
    package mutating func read<Value: PostgresReadable>(_: Value.Type = Value.self) throws(RecordsError) -> Value {
        guard let value = try readIfPresent(Value.self) else { throw unreadable("is null") }
        return value
    }

    /// Reads the next column; returns nil when it is null.
    package mutating func readIfPresent<Value: PostgresReadable>(
        _: Value.Type = Value.self
    ) throws(RecordsError) -> Value? {
        guard column < result.columnCount else {
            throw .unreadable(column: "column \(column + 1)", reason: "is missing")
        }
        column += 1
        let column = self.column - 1
        guard let type = result.type(ofColumn: column), Value.reads(type) else {
            throw unreadable("cannot be read as \(Value.self)")
        }
        guard let bytes = result.bytes(row: row, column: column) else { return nil }
        guard let value = Value(postgres: bytes, as: type) else { throw unreadable("is no \(type)") }
        return value
    }

    /// Reads the next column as an identity.
    package mutating func readID<Kind>(_: ID<Kind>.Type = ID<Kind>.self) throws(RecordsError) -> ID<Kind> {
        ID(try read())
    }

    /// Reads the next column as a case of a string enumeration.
    package mutating func readWord<Word: RawRepresentable<String>>(
        _: Word.Type = Word.self
    ) throws(RecordsError) -> Word {
        guard let word = Word(rawValue: try read()) else { throw unreadable("is no \(Word.self)") }
        return word
    }

    /// Returns the error for the last column when it breaks the schema's promise.
    package func unreadable(_ reason: String) -> RecordsError {
        .unreadable(column: result.name(ofColumn: column - 1), reason: reason)
    }
}
