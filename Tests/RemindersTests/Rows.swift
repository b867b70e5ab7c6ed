import Foundation
import Reminders
import Testing

/// Words and what they mean, as tables write them: the words on one line, the meaning indented on the next.
enum Rows {
    struct Row: Sendable, CustomTestStringConvertible {
        let words: String
        let meaning: String
        var testDescription: String { words }
    }

    static let zone = TimeZone(identifier: "America/New_York") ?? .gmt
    /// Tuesday 3 March 2026, ten in the morning in New York.
    static let now = Date(timeIntervalSince1970: 1_772_550_000)

    static func read(_ table: String) -> [Row] {
        let lines = table.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        return stride(from: 0, to: lines.count - 1, by: 2).map { Row(words: lines[$0], meaning: lines[$0 + 1]) }
    }

    static func words(_ language: ReminderLanguage, at date: Date = now, medicines: [String] = []) -> ReminderWords {
        ReminderWords(at: date, in: zone, language: language, companion: "Milo", medicines: medicines)
    }

    static func reading(of words: String, _ language: ReminderLanguage) -> String {
        meaning(Self.words(language).read(words))
    }

    static func meaning(_ reading: ReminderWords.Reading) -> String {
        switch reading {
        case .notAReminder: return "none"
        case .unsure(.either(let one, let other), _): return "either \(text(one)) \(text(other))"
        case .unsure(.half(let hour, _), _): return "half \(hour)"
        case .unsure(.lastDay(let day), _): return "lastDay \(day)"
        case .unsure(let question, _): return "\(question)"
        case .understood(let plan):
            let lead = plan.leadMinutes > 0 ? "-\(plan.leadMinutes)" : ""
            return "\(plan.title) | \(plan.kind.rawValue)\(lead) | \(when(plan.schedule)) | \(plan.sentence)"
        }
    }

    static func when(_ schedule: ReminderSchedule) -> String {
        switch schedule {
        case .once(let date): return zone.localTime(at: date).text
        case .weekly: return "weekly"
        case .recurring(let recurrence):
            return recurrence.text.replacing("DTSTART:", with: "").replacing("\n", with: " ")
                .replacing("RRULE:FREQ=", with: "").replacing(";INTERVAL=1;", with: ";")
        }
    }

    private static func text(_ day: LocalDay) -> String {
        String(LocalTime(day, TimeOfDay(minuteOfDay: 0)).text.prefix(8))
    }
}
