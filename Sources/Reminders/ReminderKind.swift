/// What a reminder is for.
package enum ReminderKind: String, Sendable, Codable, CaseIterable {
    case medicine, appointment, meal, water, call, activity, other

    /// How many minutes before it is due people are reminded of it, unless the reminder says otherwise.
    package var usualLeadMinutes: Int { self == .appointment ? 30 : 0 }
}
