import Domain
import Foundation
import HTTPServing
import Runtime

/// `/functions/v1/reminders/{id}`: a reminder with what became of its due times, and what a telephone reports of them.
struct ReminderHistoryEndpoint: Sendable {
    private static let patient = Parameter(
        "user_id",
        in: .query,
        .uuid,
        isRequired: true,
        example: Examples.patient,
        note: "The patient."
    )
    private static let reminder = Parameter(
        "id",
        in: .path,
        .uuid,
        isRequired: true,
        example: Examples.demonstrationReminder,
        note: "The reminder."
    )
    /// The time for which the history reaches back.
    private static let days = 30.0
    private static let reports = ["delivered", "heard", "snoozed", "skipped", "done"]

    let parts: APIDependencies

    private static let occurrence = Schema.object(
        .required("due_iso", .dateTime),
        .required("status", .string(.oneOf(Occurrence.State.allCases.map(\.rawValue)))),
        .required(
            "history",
            .array(
                .object(
                    .required("event", .string(.oneOf(["due"] + Occurrence.Step.allCases.map(\.rawValue)))),
                    .required("at", .dateTime)
                ).named("OccurrenceEvent")
            )
        )
    ).named("Occurrence")

    var reading: Operation {
        Operation(
            "readReminder",
            "Read a reminder with its history",
            note: "The due times of the last thirty days, the latest first, each with its steps.",
            dialect: .milo,
            parameters: [Self.reminder, Self.patient],
            successes: [
                Operation.Success(
                    .object(
                        .required("reminder", ListedReminder.schema),
                        .required("occurrences", .array(Self.occurrence))
                    ).named("ReminderHistory"),
                    example: [
                        "reminder": ListedReminder.example,
                        "occurrences": [
                            [
                                "due_iso": "2026-03-01T01:00:00.000Z", "status": "done",
                                "history": [["event": "due", "at": "2026-03-01T01:00:00.000Z"]],
                            ]
                        ],
                    ],
                    note: "The reminder."
                )
            ],
            refusals: [.patientNotFound, .reminderNotFound],
            access: .key(scope: .patientsRead, read)
        )
    }

    var reporting: Operation {
        Operation(
            "reportReminder",
            "Report what became of a reminder",
            note:
                "From a telephone: that the push was delivered or heard, or which button was tapped. What is settled stays "
                + "settled, except that what was missed may still be done.",
            dialect: .milo,
            body: Operation.Body(
                .object(
                    .required("user_id", .uuid),
                    .required("reminder_id", .uuid),
                    .required("event", .string(.oneOf(Self.reports))),
                    .required("due_iso", .dateTime.noted("The due time, as the push calls it: `due_at`."))
                ).named("ReminderReport"),
                example: [
                    "user_id": Examples.patient, "reminder_id": Examples.demonstrationReminder, "event": "heard",
                    "due_iso": "2026-03-01T01:00:00Z",
                ]
            ),
            successes: [
                Operation.Success(
                    .object(.required("recorded", .boolean)).named("ReminderReported"),
                    example: ["recorded": true],
                    note: "True if the reminder was due then."
                )
            ],
            refusals: [.patientNotFound],
            access: .key(scope: .turns, report)
        )
    }

    private func read(_ call: ValidatedRequest, _ tenant: TenantID) async throws(APIError) -> Outcome {
        guard let patient = call.values[Self.patient.name].flatMap({ PatientID($0) }),
            let id = call.values[Self.reminder.name].flatMap({ ReminderID($0) })
        else { throw .failed }
        let deadline = call.deadline(parts.limits.read)
        let known: PatientReminders
        let all: [Occurrence]
        do throws(RecordsError) {
            known = try await parts.reads.reminders(of: patient, tenant: tenant, at: call.date, by: deadline)
            let start = call.date.addingTimeInterval(-Self.days * 86_400)
            let end = call.date.addingTimeInterval(8 * 86_400)
            all = try await parts.occurrences.occurrences(
                of: patient,
                about: id,
                tenant: tenant,
                from: start,
                until: end,
                by: deadline
            )
        } catch {
            throw APIError(error, patientAt: "user_id")
        }
        guard let reminder = known.reminders.first(where: { $0.id == id }) else { throw .unknownReminder(path: "id") }
        return .json([
            "reminder": ListedReminder(reminder: reminder, patient: known.patient, date: call.date).json,
            "occurrences": .array(all.reversed().map(Self.json)),
        ])
    }

    private func report(_ call: ValidatedRequest, _ tenant: TenantID) async throws(APIError) -> Outcome {
        guard let patient = call.body.text("user_id").flatMap({ PatientID($0) }),
            let id = call.body.text("reminder_id").flatMap({ ReminderID($0) }),
            let due = call.body.text("due_iso").flatMap(RFC3339.date),
            let status = call.body.text("event").flatMap(Reminder.Event.Status.init)
        else { throw .failed }
        do throws(RecordsError) {
            let answer = ReminderAnswer(reminder: id, dueAt: due, status: status)
            let deadline = call.deadline(parts.limits.read)
            let isThere = try await parts.occurrences.note(
                answer,
                of: patient,
                tenant: tenant,
                at: call.date,
                by: deadline
            )
            return .json(["recorded": .bool(isThere)])
        } catch {
            throw APIError(error, patientAt: "user_id")
        }
    }

    private static func json(_ occurrence: Occurrence) -> JSONValue {
        let due: JSONValue = ["event": "due", "at": .string(RFC3339.text(occurrence.key.dueAt))]
        let steps = occurrence.history.map { step, at -> JSONValue in
            ["event": .string(step.rawValue), "at": .string(RFC3339.text(at))]
        }
        return [
            "due_iso": .string(RFC3339.text(occurrence.key.dueAt)),
            "status": .string(occurrence.state.rawValue),
            "history": .array([due] + steps),
        ]
    }
}
