import Conversation
import Foundation
import Testing

/// Questions that the records answer, and what they say.
@Suite struct RecordAnswersTests {
    private let zone = TimeZone(identifier: "America/New_York") ?? .gmt

    @Test(arguments: [
        ("What time is it?", RecordQuestion.time), ("please tell me the time", .time), ("¿Qué hora es?", .time),
        ("what day is it today", .day), ("What\u{2019}s the date?", .day),
        ("When is my next appointment?", .nextReminder), ("what do I have today", .nextReminder),
        ("Did I take my pill?", .dose), ("Have I taken my blood pressure pills today", .dose),
        ("did i take my meds", .dose),
    ])
    func `a question that belongs to the records is recognised`(said: String, question: RecordQuestion) {
        #expect(RecordQuestion(said) == question)
    }

    @Test(arguments: [
        "", "I took my pill", "The time flew by", "What a day it was", "My daughter has an appointment",
        "What time do the shops open?", "Should I take my pill?", "How many pills can I take?",
        "I had a date with Frank",
        "Did I tell you about my pills?",
    ])
    func `other talk is not taken for such a question`(said: String) {
        #expect(RecordQuestion(said) == nil)
    }

    @Test func `the time and the day are the patient's own`() throws {
        let date = try Date("2026-03-01T02:05:00Z", strategy: .iso8601)
        #expect(RecordAnswers().answer("what time is it", memory: memory(), at: date)?.text == "It's 9:05 PM.")
        #expect(
            RecordAnswers().answer("what day is it", memory: memory(), at: date)?.text
                == "Today is Saturday, February 28, 2026."
        )
    }

    @Test func `a dose counts as taken only when the record says so`() throws {
        let date = try Date("2026-03-02T15:00:00Z", strategy: .iso8601)
        let due = try Date("2026-03-02T13:00:00Z", strategy: .iso8601)
        let done = Reminder.Event(dueAt: due, status: .done, at: due.addingTimeInterval(300))
        let taken = RecordAnswers().answer("did I take my pill", memory: memory([pill([done])]), at: date)
        #expect(taken?.text == "Yes. Your records show your heart pill as taken at 8:05 AM.")
        let sent = Reminder.Event(dueAt: due, status: .sent, at: due)
        let notTaken = RecordAnswers().answer("did I take my pill", memory: memory([pill([sent])]), at: date)
        #expect(notTaken?.text == "Your records don't show your heart pill as taken. Want me to ask your family first?")
        let none = RecordAnswers().answer("did I take my pill", memory: memory(), at: date)
        #expect(none?.text == "Your records show no medicine due yet today.")
    }

    @Test func `yesterday's dose does not count for today`() throws {
        let date = try Date("2026-03-02T15:00:00Z", strategy: .iso8601)
        let yesterday = try Date("2026-03-01T13:00:00Z", strategy: .iso8601)
        let done = Reminder.Event(dueAt: yesterday, status: .done, at: yesterday)
        let answer = RecordAnswers().answer("have I taken my pills", memory: memory([pill([done])]), at: date)
        #expect(answer?.text.contains("don't show") == true)
    }

    @Test func `the next reminder is the earliest to come, with its day`() throws {
        let date = try Date("2026-03-02T15:00:00Z", strategy: .iso8601)
        let visit = Reminder(
            id: ReminderID(),
            title: "eye doctor",
            kind: .appointment,
            schedule: .once(date.addingTimeInterval(3 * 3600))
        )
        let answer = RecordAnswers().answer("what's my next appointment", memory: memory([pill(), visit]), at: date)
        #expect(answer?.text == "Next is eye doctor, today at 1:00 PM.")
        let tomorrow = RecordAnswers().answer("what's my next reminder", memory: memory([pill()]), at: date)
        #expect(tomorrow?.text == "Next is heart pill, tomorrow at 8:00 AM.")
        let nothing = RecordAnswers().answer("any reminders?", memory: memory(), at: date)
        #expect(nothing?.text == "You have nothing planned for the next seven days.")
    }

    @Test func `records that cannot be read are not guessed`() {
        let answer = RecordAnswers().answer("did I take my pill", memory: nil, at: Date())
        #expect(answer?.text == "I can't see your records just now. Shall I ask your family?")
    }

    @Test func `a reminder follows the clock across a change to summer time`() throws {
        let before = try Date("2026-03-07T18:00:00Z", strategy: .iso8601)
        let due = pill().dueTimes(from: before, until: before.addingTimeInterval(3 * 86_400), in: zone)
        #expect(
            due.map { $0.formatted(.iso8601) } == [
                "2026-03-08T12:00:00Z", "2026-03-09T12:00:00Z", "2026-03-10T12:00:00Z",
            ]
        )
    }

    private func pill(_ events: [Reminder.Event] = []) -> Reminder {
        Reminder(
            id: ReminderID(),
            title: "heart pill",
            kind: .medicine,
            schedule: .weekly(hour: 8, minute: 0, days: Set(1...7)),
            events: events
        )
    }

    private func memory(_ reminders: [Reminder] = []) -> PatientMemory {
        let patient = Patient(id: PatientID(), tenant: TenantID(), name: "Rose", timeZone: zone)
        return PatientMemory(patient: patient, reminders: reminders)
    }
}
