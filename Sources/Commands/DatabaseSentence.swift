/// Converts database errors into sentences for the terminal.
///
/// PostgreSQL's own messages name tables and policies and
/// stay in its log.
enum DatabaseSentence {
    /// Explains a refused statement by its SQLSTATE.
    static func refusal(_ code: String) -> String {
        switch code {
        case "23503": "The database has no such tenant; hearth enrol makes one."
        case "23505": "The database has another of that name or identity already."
        case "42501": "The identity belongs to somebody of another tenant, or the database's user may not do this."
        case "3F000", "42P01", "42703", "42883":
            "The database has no tables of ours, or older ones; run: hearth migrate"
        case "25006": "The database only reads: it may be a standby."
        case "57014": "The database did not answer in time."
        case _ where code.hasPrefix("22") || code.hasPrefix("23"):
            "The database does not take one of these values (SQLSTATE \(code))."
        case _ where code.hasPrefix("53"): "The database lacks room, memory or connections (SQLSTATE \(code))."
        case _ where code.hasPrefix("40"): "The database had too much to do at the same time. Try again."
        default: "The database refused it; its own log says why (SQLSTATE \(code))."
        }
    }

    /// Explains a failed connection.
    static func unreachable(_ reason: String) -> String { "The database cannot be reached: \(cause(reason))." }

    /// Explains a reason: Hearth's own sentences unchanged, libpq's messages by their known parts.
    static func cause(_ reason: String) -> String {
        let own = ["hearth migrate", "would see every tenant", "did not answer in time"]
        if own.contains(where: reason.contains), !reason.contains("FATAL") { return reason }
        let known = causes.first { cause in cause.words.contains(where: reason.contains) }
        return known?.meaning ?? "it refused the connection"
    }

    private static let causes: [(words: [String], meaning: String)] = [
        (["password", "authentication failed", "no pg_hba.conf entry"], "it refuses the user or the password"),
        (["role "], "it has no such user"),
        (["database \""], "it has no database of that name"),
        (["Connection refused", "No such file"], "nothing listens at its address"),
        (["no address is known", "translate host name"], "no address is known for its host"),
        (["timeout", "timed out"], "it did not answer in time"),
        (["starting up", "shutting down", "recovery"], "it is starting or stopping"),
        (["too many", "remaining connection slots"], "it has as many connections as it takes"),
        (["SSL", "certificate"], "no encrypted connection could be agreed on"),
        (["No route", "unreachable"], "there is no way to its address"),
        (["broke", "closed", "stopped answering"], "the connection broke"),
    ]
}
