import Reminders

/// What is said to remind somebody, and of their answers; the bundle holds the words of each under its name.
package enum ReminderLine: String, Sendable, CaseIterable {
    case medicine, dose, appointment, meal, water, call, activity, other
    case done, doneBefore = "done_before", twice, once, enough, uncertain, notYet = "not_yet", later, which, nothing,
        ask
    case propose, settled, kept, unfound, unsettled, long

    /// The name of its wordings in the bundle.
    package var name: String { "reminder.\(rawValue)" }

    /// The values that each of its wordings must hold, and the only ones of the records that it may.
    package var values: Set<String> {
        switch self {
        case .dose: ["title", "dose"]
        case .appointment, .doneBefore, .enough: ["title", "at"]
        case .medicine, .meal, .water, .call, .activity, .other, .done, .twice, .once, .uncertain, .notYet, .later,
            .which:
            ["title"]
        case .ask: ["title", "other"]
        case .propose, .settled: ["plan"]
        case .nothing, .kept, .unfound, .unsettled, .long: []
        }
    }

    /// The line by which somebody is reminded of a kind.
    package init(_ kind: Reminder.Kind) {
        switch kind {
        case .medicine: self = .medicine
        case .appointment: self = .appointment
        case .meal: self = .meal
        case .water: self = .water
        case .call: self = .call
        case .activity: self = .activity
        case .other: self = .other
        }
    }
}
