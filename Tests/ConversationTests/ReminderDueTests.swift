import Conversation
import Domain
import Foundation
import Reminders
import Testing

/// Due times of a reminder, with its pauses and its history.
@Suite struct ReminderDueTests {
    private func date(_ text: String) throws -> Date { try Date(text, strategy: .iso8601) }

    private func daily(_ pause: Reminder.Pause? = nil, _ events: [Reminder.Event] = []) -> Reminder {
        let schedule = Reminder.Schedule.weekly(hour: 8, minute: 0, days: Set(1...7))
        return Reminder(
            id: ReminderID(),
            title: "pill",
            kind: .medicine,
            schedule: schedule,
            pause: pause,
            events: events
        )
    }

    @Test func `it is not due in a pause, and is again after it`() throws {
        let (start, end) = (try date("2026-03-01T00:00:00Z"), try date("2026-03-06T00:00:00Z"))
        let pause = Reminder.Pause(from: try date("2026-03-02T09:00:00Z"), until: try date("2026-03-04T08:00:00Z"))
        let due = daily(pause).dueTimes(from: start, until: end, in: .gmt)
        #expect(due == (try ["01", "02", "04", "05"].map { try date("2026-03-\($0)T08:00:00Z") }))
        let open = daily(Reminder.Pause(from: pause.from))
        #expect(open.dueTimes(from: start, until: end, in: .gmt).count == 2)
        #expect(open.isPaused && open.next(after: start, in: .gmt) == nil)
    }

    @Test func `next is the first time after now that is not done already`() throws {
        let now = try date("2026-03-01T08:00:00Z")
        let tomorrow = try date("2026-03-02T08:00:00Z")
        #expect(daily().next(after: now, in: .gmt) == tomorrow)
        let early = Reminder.Event(dueAt: tomorrow, status: .done, at: now)
        #expect(daily(nil, [early]).next(after: now, in: .gmt) == tomorrow.addingTimeInterval(86_400))
        let sent = Reminder.Event(dueAt: tomorrow, status: .sent, at: now)
        #expect(daily(nil, [sent, early]).status(at: tomorrow) == .done)
        #expect(daily(nil, [sent]).status(at: tomorrow) == .sent)
    }

    @Test func `what comes within the year is found, and what is over is not`() throws {
        let now = try date("2026-03-01T00:00:00Z")
        let yearly = try RecurrenceReader.read("DTSTART:20250201T080000\nRRULE:FREQ=MONTHLY;INTERVAL=12")
        let rare = Reminder(id: ReminderID(), title: "check", kind: .other, schedule: .recurring(yearly))
        #expect(rare.next(after: now, in: .gmt) == (try date("2027-02-01T08:00:00Z")))
        let over = Reminder(id: ReminderID(), title: "call", kind: .call, schedule: .once(now))
        #expect(over.next(after: now, in: .gmt) == nil)
    }
}
