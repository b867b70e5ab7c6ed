import CSQLite

/// Why SQLite did not do what it was asked.
package enum SQLiteError: Error, Equatable {
    /// The statement was stopped: its deadline passed or its caller was gone.
    case interrupted
    /// The file is damaged or is no database; the code is SQLite's extended one.
    case corrupt(code: Int32)
    /// The file's tables have another version, or its content another shape.
    case outdated
    /// A number is too great for the file's row numbers.
    case outOfRows
    /// Another process holds the file.
    case busy
    /// The file has reached its largest size, or the disk is full.
    case full
    /// Anything else, with SQLite's extended code and message.
    case failed(code: Int32, message: String)

    /// Whether the file is of no use and must be made anew.
    package var spoilsFile: Bool {
        switch self {
        case .corrupt, .outdated: true
        case .interrupted, .outOfRows, .busy, .full, .failed: false
        }
    }

    /// Names what an extended result code means.
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
