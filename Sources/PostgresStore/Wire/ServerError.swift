import CPostgres
import Conversation

/// An error that the server reported for a statement.
struct ServerError: Error, Equatable {
    /// PostgreSQL's SQLSTATE, five characters; empty when libpq itself failed.
    let code: String
    /// Server's message without the detail, which may hold values of rows.
    let message: String

    init(code: String, message: String) {
        self.code = code
        self.message = message
    }

    /// Reads the error of a failed result.
    init(of result: OpaquePointer) {
        code = Self.field(PGDiagnosticSQLState, of: result)
        let primary = Self.field(PGDiagnosticMessage, of: result)
        message = primary.isEmpty ? PostgresText.line(PQresultErrorMessage(result)) : primary
    }

    /// True when the server cancelled the statement, for its time limit or on request (57014).
    var isCancellation: Bool { code == "57014" }

    /// True when the server ended the connection: a shut-down, a crash or an administrator's command (class 57P).
    var endsConnection: Bool { code.hasPrefix("57P") }

    /// True when a prepared statement is unknown (26000) or its result's shape has changed (0A000).
    var makesPreparedStale: Bool { code == "26000" || code == "0A000" }

    /// The matching error of the ports.
    var asRecordsError: RecordsError {
        endsConnection ? .unavailable(reason: message) : .refused(code: code, message: message)
    }

    private static func field(_ diagnostic: Int32, of result: OpaquePointer) -> String {
        PQresultErrorField(result, diagnostic).map { String(cString: $0) } ?? ""
    }
}

/// Reads texts that libpq returns.
enum PostgresText {
    /// Returns a libpq message as one line.
    static func line(_ text: UnsafePointer<CChar>?) -> String {
        guard let text else { return "" }
        return String(cString: text).split(whereSeparator: \.isNewline).map { $0.trimmingPrefix(while: \.isWhitespace) }
            .joined(separator: " ")
    }
}
