/// A failure in a turn that was answered without the failed part.
package enum Degradation: String, Sendable, Codable, CaseIterable {
    /// Memory could not be read in time, so that profile, facts and earlier turns are missing.
    case memory
    /// Similar conversations could not be searched in time.
    case recall
    /// A part of the input screen failed.
    case screen
    /// The message and its alerts could not be written to the system of record; they wait in the spool, unless that
    /// failed too.
    case record
    /// The spool failed too, so that nothing of the message is durable.
    case spool
    /// The model failed, was too slow, or was not asked for lack of time.
    case model
    /// The model's words did not pass the output screen.
    case output
    /// The finished reply could not be stored in the system of record; it waits in the spool.
    case commit
}
