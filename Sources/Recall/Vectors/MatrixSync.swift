import Conversation
import Runtime

/// The agreement of a patient's matrix with the durable cache and with the system of record.
///
/// Positions only grow, apart from ``durable``, which follows the cache.
struct MatrixSync: Equatable {
    /// The position of the newest memory in the matrix.
    var through: Int64 = 0
    /// The position of the newest memory in the cache.
    var durable: Int64 = 0
    /// True if the cache has been read.
    var isCacheRead = false
    /// The newest memory from the cache, until the record is known to hold it too.
    var unconfirmed: MemoryVector?
    /// The position of the newest memory that was announced for the record.
    var announced: Int64 = 0
    /// The instant of the last check against the record; nil before the first.
    var checkedAt: Instant?

    /// Returns whether the record must be asked before a search.
    ///
    /// - Parameter freshness: The time after which the record is asked although nothing was announced.
    func mustCheck(at now: Instant, freshness: Duration) -> Bool {
        guard let checkedAt else { return true }
        return announced > through || now.since(checkedAt) > freshness
    }

    /// Notes the position of a memory in the record.
    mutating func announce(_ position: Int64) {
        announced = max(announced, position)
    }
}
