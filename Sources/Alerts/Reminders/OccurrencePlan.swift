package import Domain
package import Foundation

/// The actions that a patient's reminders need at an instant.
package struct OccurrencePlan: Sendable, Equatable {
    /// The new occurrences that are settled or wait.
    package var entered: [Occurrence] = []
    /// The known occurrences that change.
    package var changed: [OccurrenceProgress.Change] = []
    /// The occurrences to be sent now, earliest due first; they are not among the others.
    package var sending: [Occurrence] = []
    /// The occurrences that become missed in this plan.
    package var missed: [Occurrence] = []
    /// The instant up to which due times have been entered.
    package var plannedUntil: Date
    /// The next instant at which something is due.
    package var lookAgainAt: Date

    init(at date: Date) {
        plannedUntil = date
        lookAgainAt = date.addingTimeInterval(OccurrencePlanner.longestRest)
    }

    /// Moves the next check to an instant if that is earlier.
    mutating func look(at date: Date) { lookAgainAt = min(lookAgainAt, date) }
}
