import Domain
import Foundation
import Runtime

/// The next reminder, as the app's first screen shows it.
struct NextReminder {
    static let schema = Schema.object(
        .required("title", .string()),
        .required("time", .string().noted("The time of day in the patient's zone: 08:00:00.")),
        .required("minutes_until", .integer(0...Int.max))
    ).named("NextReminder")

    static let example: JSONValue = ["title": "blood pressure pill", "time": "08:00:00", "minutes_until": 45]

    let title: String
    let dueAt: Date

    /// The shape that the app reads, at an instant before the reminder is due.
    func json(at date: Date, in zone: TimeZone) -> JSONValue {
        [
            "title": .string(title),
            "time": .string(RFC3339.timeOfDay(dueAt, in: zone)),
            "minutes_until": .integer(Int((dueAt.timeIntervalSince(date) / 60).rounded(.up))),
        ]
    }
}
