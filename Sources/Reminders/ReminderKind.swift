/// Purpose of a reminder.
package enum ReminderKind: String, Sendable, Codable, CaseIterable {
    case medicine, appointment, meal, water, call, activity, other

    /// Default notice in minutes before the due time.
    package var usualLeadMinutes: Int { self == .appointment ? 30 : 0 }
}
