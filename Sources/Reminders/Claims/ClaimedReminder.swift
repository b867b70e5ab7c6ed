/// A reminder that another reader, such as a model, claims to be the meaning of the words.
///
/// It has no effect before ``ReminderWords/plan(_:claimedOf:)`` has checked it against the words.
package struct ClaimedReminder: Sendable, Equatable {
    /// The days on which it is due.
    package enum Days: Sendable, Equatable {
        /// On the first day alone.
        case once
        /// Every so many days.
        case daily(every: Int)
        /// On these days of every so many weeks.
        case weekly(every: Int, on: Set<Weekday>)
        /// On this day of every so many months; -1 is the last.
        case monthly(every: Int, on: Int)
    }

    /// The task.
    package let title: String
    /// Purpose.
    package let kind: ReminderKind
    /// The days on which it is due.
    package let days: Days
    /// The first day; nil where it recurs and begins as soon as it can.
    package let first: LocalDay?
    /// The times on each of these days.
    package let times: [TimeOfDay]
    /// The last day; nil when there is none.
    package let until: LocalDay?
    /// Number of times; nil when it is not counted.
    package let count: Int?

    package init(
        title: String,
        kind: ReminderKind,
        days: Days,
        first: LocalDay? = nil,
        times: [TimeOfDay],
        until: LocalDay? = nil,
        count: Int? = nil
    ) {
        self.title = title
        self.kind = kind
        self.days = days
        self.first = first
        self.times = times
        self.until = until
        self.count = count
    }
}

/// A reason why a claim does not hold for the words.
package enum ClaimFault: String, Error, Sendable, CaseIterable {
    /// The title has words that nobody said, or none at all.
    case title
    /// A time of day was not said, or another half of the day was.
    case time
    /// A day was not said, or another one was.
    case day
    /// The claim recurs though no recurrence was said, or does not recur though one was said.
    case repetition
    /// An end at a day or after a number that was not said.
    case end
    /// A reminder that is over, or never comes.
    case past
    /// More days or times than a reminder may have.
    case bounds
}
