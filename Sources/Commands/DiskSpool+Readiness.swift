import Conversation
import Spool

extension DiskSpool {
    /// The state of the spool: degraded while writes wait for the database.
    var readiness: ReadinessPart {
        let waiting = count
        guard waiting > 0 else { return ReadinessPart("spool") }
        return ReadinessPart("spool", .degraded, detail: "\(waiting) writes wait on this disk for the database.")
    }
}
