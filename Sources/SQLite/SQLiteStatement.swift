import CSQLite
package import Foundation

/// Owns one prepared statement; parameters and columns are counted from 1 and 0, as SQLite does.
///
/// The connection that made it finalises it.
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

    /// Binds a number.
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

    /// Binds the bytes of numbers, as they lie in memory.
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

    /// Moves to the next row; false when there is none.
    package func step() throws(SQLiteError) -> Bool {
        let code = sqlite3_step(handle)
        guard code == SQLITE_ROW || code == SQLITE_DONE else {
            throw SQLiteError(code: code, message: String(cString: sqlite3_errmsg(database)))
        }
        return code == SQLITE_ROW
    }

    /// Runs a statement that returns no rows, and makes it ready for the next.
    package func run() throws(SQLiteError) {
        defer { reset() }
        _ = try step()
    }

    /// The row's integer in a column.
    package func integer(_ column: CInt) -> Int64 { sqlite3_column_int64(handle, column) }

    /// The row's number in a column.
    package func number(_ column: CInt) -> Double { sqlite3_column_double(handle, column) }

    /// The row's text in a column.
    package func text(_ column: CInt) -> String {
        guard let bytes = sqlite3_column_text(handle, column) else { return "" }
        let count = Int(sqlite3_column_bytes(handle, column))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    /// The row's numbers in a column, read as they lie in memory.
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

    /// The row's UUID in a column; nil when it does not have 16 bytes.
    package func uuid(_ column: CInt) -> UUID? {
        guard let bytes = sqlite3_column_blob(handle, column), sqlite3_column_bytes(handle, column) == 16
        else {
            return nil
        }
        return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
    }

    /// Makes the statement ready to run again, with nothing bound.
    package func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    /// Frees the statement; it must not be used afterwards.
    func finalize() {
        sqlite3_finalize(handle)
    }
}
