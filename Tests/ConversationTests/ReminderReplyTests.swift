import Conversation
import Domain
import Foundation
import Reminders
import Testing

/// What a spoken answer says of a reminder.
@Suite struct ReminderReplyTests {
    @Test(arguments: [
        "Yes I took it", "done", "I've taken it, thank you", "I took my pills", "yeah", "sí, ya la tomé",
        "yes thank you",
        "it's done", "yes, I did", "I took the white one and the blue one", "sí", "ya está hecho",
    ])
    func `a plain yes marks the last due time as done`(said: String) throws {
        let reminder = evening()
        let spoken = try Date("2026-03-02T20:20:00Z", strategy: .iso8601)
        let answer = ReminderReply.read(turn(said, at: spoken, of: reminder.id), memory(reminder))
        #expect(answer?.dueAt == spoken.addingTimeInterval(-20 * 60))
        #expect(answer?.status == .done)
    }

    @Test(arguments: [
        "not yet", "no", "I will later", "did I take it?", "I think I took it", "I took it, didn't I", "what pills",
        "I forgot", "yes?",
        "I'll take it soon", "yes help I fell", "ya voy", "ya", "yes what do you want", "si puedo",
        "yes but my chest hurts",
        "I took a fall", "I took a walk", "I did it wrong", "yes yes wait a minute", "done with this",
        "sí pero me duele",
    ])
    func `doubt leaves the reminder open`(said: String) throws {
        let reminder = evening()
        let spoken = try Date("2026-03-02T20:20:00Z", strategy: .iso8601)
        #expect(ReminderReply.read(turn(said, at: spoken, of: reminder.id), memory(reminder)) == nil)
    }

    @Test func `an answer without a reminder, to an unknown one or long after is none`() throws {
        let reminder = evening()
        let spoken = try Date("2026-03-02T20:20:00Z", strategy: .iso8601)
        #expect(ReminderReply.read(turn("yes", at: spoken, of: nil), memory(reminder)) == nil)
        #expect(ReminderReply.read(turn("yes", at: spoken, of: ReminderID()), memory(reminder)) == nil)
        let late = spoken.addingTimeInterval(13 * 3600)
        #expect(ReminderReply.read(turn("yes", at: late, of: reminder.id), memory(reminder)) == nil)
        #expect(ReminderReply.read(turn("yes", at: spoken, of: reminder.id), nil) == nil)
    }

    private func evening() -> Reminder {
        let schedule = Reminder.Schedule.weekly(hour: 20, minute: 0, days: Set(1...7))
        return Reminder(id: ReminderID(), title: "evening pill", kind: .medicine, schedule: schedule)
    }

    private func memory(_ reminder: Reminder) -> PatientMemory {
        PatientMemory(
            patient: Patient(id: PatientID(), tenant: TenantID(), name: "Rose", timeZone: .gmt),
            reminders: [reminder]
        )
    }

    private func turn(_ said: String, at date: Date, of reminder: ReminderID?) -> Turn {
        Turn(
            tenant: TenantID(),
            patient: PatientID(),
            text: said,
            spokenAt: date,
            receivedAt: date,
            context: .init(reminder: reminder)
        )
    }
}
