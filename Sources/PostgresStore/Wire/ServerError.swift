import CPostgres
import Conversation

/// What the server said when it refused a statement.
struct ServerError: Error, Equatable {
    /// PostgreSQL's SQLSTATE, five characters; empty when libpq itself failed.
    let code: String
    /// The server's message, without the detail, which may hold values of rows.
    let message: String

    init(code: String, message: String) {
        self.code = code
        self.message = message
    }

    /// Reads the error from a failed result.
    init(of result: OpaquePointer) {
        code = Self.field(PGDiagnosticSQLState, of: result)
        let primary = Self.field(PGDiagnosticMessage, of: result)
        message = primary.isEmpty ? PostgresText.line(PQresultErrorMessage(result)) : primary
    }

    /// Whether the server stopped the statement: for its time limit, or because it was asked to (57014).
    var isCancellation: Bool { code == "57014" }

    /// Whether the server ended the connection: shut-down, crash or an administrator's order (class 57P).
    var endsConnection: Bool { code.hasPrefix("57P") }

    /// Whether a prepared statement no longer fits: it is unknown (26000) or its result's shape has changed (0A000).
    var makesPreparedStale: Bool { code == "26000" || code == "0A000" }

    /// The error as the ports know it.
    var asRecordsError: RecordsError {
        endsConnection ? .unavailable(reason: message) : .refused(code: code, message: message)
    }

    private static func field(_ diagnostic: Int32, of result: OpaquePointer) -> String {
        PQresultErrorField(result, diagnostic).map { String(cString: $0) } ?? ""
    }
}

/// Text that libpq hands out.
enum PostgresText {
    /// A message of libpq's as one line.
    static func line(_ text: UnsafePointer<CChar>?) -> String {
        guard let text else { return "" }
        return String(cString: text).split(whereSeparator: \.isNewline).map { $0.trimmingPrefix(while: \.isWhitespace) }
            .joined(separator: " ")
    }
}
