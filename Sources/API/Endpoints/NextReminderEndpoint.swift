import Domain
import Foundation
import Runtime

/// `GET /api/v1/mobile/reminders`: the next reminder, which the app shows on its first screen.
struct NextReminderEndpoint: Sendable {
    private static let patient = Parameter(
        "patient_id",
        in: .query,
        .uuid,
        isRequired: true,
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
                Operation.Success(
                    .envelope(.object(.required("next_reminder", NextReminder.schema.orNull)).named("NextReminderData"))
                        .named("NextReminderAnswer"),
                    example: ["success": true, "data": ["next_reminder": NextReminder.example]],
                    note: "The next reminder."
                )
            ],
            refusals: [.patientNotFound],
            access: .key(scope: .patientsRead, read)
        )
    }

    private func read(_ call: ValidatedRequest, _ tenant: TenantID) async throws(APIError) -> Outcome {
        guard let id = call.values[Self.patient.name].flatMap({ PatientID($0) }) else { throw .failed }
        let found: PatientReminders
        do throws(RecordsError) {
            let deadline = call.deadline(parts.limits.read)
            found = try await parts.reads.reminders(of: id, tenant: tenant, at: call.date, by: deadline)
        } catch {
            throw APIError(error, patientAt: Self.patient.name)
        }
        let zone = found.patient.timeZone
        let next = found.reminders.compactMap { reminder in
            reminder.next(after: call.date, in: zone).map { NextReminder(title: reminder.title, dueAt: $0) }
        }
        .min { ($0.dueAt, $0.title) < ($1.dueAt, $1.title) }
        return .json(
            ["success": true, "data": ["next_reminder": next.map { $0.json(at: call.date, in: zone) } ?? .null]]
        )
    }
}
