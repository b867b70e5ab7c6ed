import CSQLite
package import Foundation

/// Owns one prepared statement.
///
/// Parameters count from 1 and columns from 0, as in SQLite. The connection that prepared the statement finalises it.
package final class SQLiteStatement {
    private let handle: OpaquePointer
    private let database: OpaquePointer

    init(_ handle: OpaquePointer, of database: OpaquePointer) {
        self.handle = handle
        self.database = database
    }

    /// Binds an integer.
    package func bind(_ value: Int64, at index: CInt) {
        sqlite3_bind_int64(handle, index, value)
    }

    /// Binds a floating-point number.
    package func bind(_ value: Double, at index: CInt) {
        sqlite3_bind_double(handle, index, value)
    }

    /// Binds text.
    package func bind(_ text: String, at index: CInt) {
        var text = text
        text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                _ = csqlite_bind_text(handle, index, characters.baseAddress, CInt(characters.count))
            }
        }
    }

    /// Binds the memory of an array of numbers as a blob.
    package func bind<Number>(bytesOf numbers: [Number], at index: CInt) {
        numbers.withUnsafeBytes { bytes in
            _ = csqlite_bind_blob(handle, index, bytes.baseAddress, CInt(bytes.count))
        }
    }

    /// Binds the 16 bytes of a UUID.
    package func bind(_ uuid: UUID, at index: CInt) {
        withUnsafeBytes(of: uuid.uuid) { bytes in
            _ = csqlite_bind_blob(handle, index, bytes.baseAddress, CInt(bytes.count))
        }
    }

    /// Moves to the next row; returns false at the end.
    package func step() throws(SQLiteError) -> Bool {
        let code = sqlite3_step(handle)
        guard code == SQLITE_ROW || code == SQLITE_DONE else {
            throw SQLiteError(code: code, message: String(cString: sqlite3_errmsg(database)))
        }
        return code == SQLITE_ROW
    }

    /// Runs a statement that returns no rows and resets it for its next use.
    package func run() throws(SQLiteError) {
        defer { reset() }
        _ = try step()
    }

    /// Reads an integer column of the current row.
    package func integer(_ column: CInt) -> Int64 { sqlite3_column_int64(handle, column) }

    /// Reads a floating-point column of the current row.
    package func number(_ column: CInt) -> Double { sqlite3_column_double(handle, column) }

    /// Reads a text column of the current row.
    package func text(_ column: CInt) -> String {
        guard let bytes = sqlite3_column_text(handle, column) else { return "" }
        let count = Int(sqlite3_column_bytes(handle, column))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    /// Reads a blob column of the current row as numbers in memory order.
    package func floats(_ column: CInt) -> [Float] {
        guard let bytes = sqlite3_column_blob(handle, column) else { return [] }
        let count = Int(sqlite3_column_bytes(handle, column)) / MemoryLayout<Float>.stride
        return [Float](unsafeUninitializedCapacity: count) { numbers, initialized in
            UnsafeMutableRawBufferPointer(numbers).copyMemory(
                from: UnsafeRawBufferPointer(start: bytes, count: count * MemoryLayout<Float>.stride)
            )
            initialized = count
        }
    }

    /// Reads a UUID column of the current row; returns nil when it does not have 16 bytes.
    package func uuid(_ column: CInt) -> UUID? {
        guard let bytes = sqlite3_column_blob(handle, column), sqlite3_column_bytes(handle, column) == 16
        else {
            return nil
        }
        return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
    }

    /// Resets the statement and clears its parameters.
    package func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    /// Frees the statement, which must not be used afterwards.
    func finalize() {
        sqlite3_finalize(handle)
    }
}
