import Domain
import Foundation
import Runtime

/// `GET /api/v1/mobile/reminders`: the next reminder, which the app shows on its first screen.
struct NextReminderEndpoint: Sendable {
    private static let patient = Parameter.identity(
        "patient_id",
        in: .query,
        example: Examples.patient,
        note: "Identity of the patient."
    )
    private static let upcoming = Parameter(
        "upcoming",
        in: .query,
        .string(.oneOf(["true"])),
        example: "true",
        note: "Upcoming reminders, as by default."
    )

    let parts: APIDependencies

    var operation: Operation {
        Operation(
            "readNextReminder",
            "Read what a patient is reminded of next",
            note: "The next reminder within a year that is not done already; null when there is none.",
            dialect: .elderCompanion,
            parameters: [Self.patient, Self.upcoming],
            successes: [
                .data(
                    .object(.required("next_reminder", NextReminder.schema.orNull)).named("NextReminderData"),
                    named: "NextReminderAnswer",
                    example: ["next_reminder": NextReminder.example],
                    note: "The next reminder."
                )
            ],
            refusals: [.patientNotFound],
            access: .key(scope: .patientsRead, read)
        )
    }

    private func read(_ call: ValidatedRequest, _ tenant: TenantID) async throws(APIError) -> Outcome {
        let id: PatientID = try call.identity(Self.patient)
        let found = try await parts.records(call, patientAt: Self.patient.name) { deadline throws(RecordsError) in
            try await parts.patients.reminders(of: id, tenant: tenant, at: call.date, by: deadline)
        }
        let zone = found.patient.timeZone
        let next = found.reminders.compactMap { reminder in
            reminder.next(after: call.date, in: zone).map { NextReminder(title: reminder.title, dueAt: $0) }
        }
        .min { ($0.dueAt, $0.title) < ($1.dueAt, $1.title) }
        return .data(["next_reminder": next.map { $0.json(at: call.date, in: zone) } ?? .null])
    }
}

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
