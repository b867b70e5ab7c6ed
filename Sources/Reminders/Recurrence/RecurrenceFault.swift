/// Reasons for which a recurrence is rejected.
package enum RecurrenceFault: Error, Equatable {
    /// A line or a part of the text is not understood, or not among what is kept.
    case unsupported(String)
    /// A part stands twice, or two parts contradict each other.
    case contradiction(String)
    /// A number is outside its range.
    case outOfRange(String, value: Int, allowed: ClosedRange<Int>)
    /// The first time is missing, or is not one of those that the rule gives.
    case noStart
    /// There is no time at which it is ever due.
    case neverDue
}
