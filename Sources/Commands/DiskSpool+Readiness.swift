import Conversation
import Spool

extension DiskSpool {
    /// Whether all spooled writes have reached the database.
    var readiness: ReadinessPart {
        let waiting = count
        guard waiting > 0 else { return ReadinessPart("spool") }
        return ReadinessPart("spool", .degraded, detail: "\(waiting) writes wait on this disk for the database.")
    }
}
