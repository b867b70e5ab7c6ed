import CPostgres
package import Conversation

/// The result of one statement; owns the `PGresult`.
///
/// `@unchecked Sendable`: libpq never changes a result after returning it, and its accessors only read.
package final class PostgresResult: @unchecked Sendable {
    private let result: OpaquePointer

    /// Takes ownership of a libpq result.
    init(owning result: OpaquePointer) {
        self.result = result
    }

    deinit { PQclear(result) }

    /// Number of rows.
    package var count: Int { Int(PQntuples(result)) }

    /// Number of rows that the statement inserted, changed, removed or returned.
    package var affectedRows: Int { PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0 }

    /// Reads every row.
    package func map<Value>(_ read: (inout PostgresRow) throws(RecordsError) -> Value) throws(RecordsError) -> [Value] {
        var values: [Value] = []
        values.reserveCapacity(count)
        for index in 0..<count {
            var row = PostgresRow(of: self, index)
            values.append(try read(&row))
        }
        return values
    }

    /// Reads the first row; returns nil when there is none.
    package func first<Value>(_ read: (inout PostgresRow) throws(RecordsError) -> Value) throws(RecordsError) -> Value?
    {
        guard count > 0 else { return nil }
        var row = PostgresRow(of: self, 0)
        return try read(&row)
    }

    /// Number of columns.
    var columnCount: Int32 { PQnfields(result) }

    /// Returns the column's name as the statement gives it.
    func name(ofColumn column: Int32) -> String {
        PQfname(result, column).map { String(cString: $0) } ?? "column \(column)"
    }

    /// Returns the column's type; nil when this module does not know it.
    func type(ofColumn column: Int32) -> PostgresType? {
        PostgresType(rawValue: PQftype(result, column))
    }

    /// Returns a value's bytes, valid as long as the result; nil for null.
    func bytes(row: Int32, column: Int32) -> UnsafeRawBufferPointer? {
        guard PQgetisnull(result, row, column) == 0 else { return nil }
        return UnsafeRawBufferPointer(
            start: PQgetvalue(result, row, column),
            count: Int(PQgetlength(result, row, column))
        )
    }
}
