/// Something that did not work while a turn was answered, and was done without.
package enum Degradation: String, Sendable, Codable, CaseIterable {
    /// Memory could not be read in time: profile, facts and earlier turns are missing.
    case memory
    /// Similar conversations could not be searched in time.
    case recall
    /// A part of the input screen did not work.
    case screen
    /// The message and its alerts could not be written to the system of record; they wait in the spool, unless that is named.
    case record
    /// The spool did not take the message either: nothing of it is durable.
    case spool
    /// The model failed, was slow or was not asked for want of time.
    case model
    /// The model's words did not pass the output screen.
    case output
    /// The reply could not be stored in the system of record after it was made; it waits in the spool.
    case commit
}
