import CSQLite

/// The reason for which an SQLite operation failed.
package enum SQLiteError: Error, Equatable {
    /// The statement was interrupted: its deadline passed or its caller had gone.
    case interrupted
    /// The file is damaged or is no database; carries SQLite's extended code.
    case corrupt(code: Int32)
    /// The file's tables have another version, or its content has another shape.
    case outdated
    /// A number exceeds the range of the file's row numbers.
    case outOfRows
    /// Another process holds the file.
    case busy
    /// The file has reached its largest size, or the disk is full.
    case full
    /// Any other failure, with SQLite's extended code and message.
    case failed(code: Int32, message: String)

    /// True when the file is unusable and must be created again.
    package var spoilsFile: Bool {
        switch self {
        case .corrupt, .outdated: true
        case .interrupted, .outOfRows, .busy, .full, .failed: false
        }
    }

    /// Maps an extended result code to its case.
    init(code: Int32, message: String) {
        switch code & 0xff {
        case SQLITE_INTERRUPT: self = .interrupted
        case SQLITE_CORRUPT, SQLITE_NOTADB: self = .corrupt(code: code)
        case SQLITE_BUSY, SQLITE_LOCKED: self = .busy
        case SQLITE_FULL: self = .full
        default: self = .failed(code: code, message: message)
        }
    }
}
