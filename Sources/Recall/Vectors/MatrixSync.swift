import Conversation
import Runtime

/// How far a patient's matrix agrees with the durable cache and with the system of record.
///
/// Positions grow; each of these only moves forward, apart from ``durable``, which follows the cache's own
/// word.
struct MatrixSync: Equatable {
    /// The position of the last memory that was added.
    var through: Int64 = 0
    /// The position of the last memory that the cache has.
    var durable: Int64 = 0
    /// Whether the cache has been read.
    var isCacheRead = false
    /// The newest memory that the cache gave, until the record was seen to hold it too.
    var unconfirmed: MemoryVector?
    /// The position of the newest memory that the record was heard to have.
    var announced: Int64 = 0
    /// When the record was last asked for what is newer; nil when it never was.
    var checkedAt: Instant?

    /// Whether the record must be asked before a search.
    ///
    /// - Parameter freshness: After how long the record is asked though nothing was announced.
    func mustCheck(at now: Instant, freshness: Duration) -> Bool {
        guard let checkedAt else { return true }
        return announced > through || now.since(checkedAt) > freshness
    }

    /// Takes note of a memory that the record has.
    mutating func announce(_ position: Int64) {
        announced = max(announced, position)
    }
}
