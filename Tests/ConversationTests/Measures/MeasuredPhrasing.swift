import Foundation
import Reminders
import YAML

/// A phrasing that somebody wrote without seeing the grammar, with what a good secretary would make of it.
struct MeasuredPhrasing {
    /// Outcome.
    enum Outcome: String, CaseIterable { case right, asked, ignored, wrong }

    static let zone = TimeZone.gmt

    let id: String
    let language: ReminderLanguage
    let text: String
    let now: Date
    private let want: String?
    private let first: LocalTime?
    private let between: ClosedRange<LocalTime>?
    private let repetition: String
    private let times: [TimeOfDay]
    private let until: LocalTime?
    private let count: Int?

    init(_ node: YAMLNode) throws {
        let node = try node.mapping()
        func text(_ name: String) throws -> String? { try node[name].map { try $0.string() } }
        id = try text("id") ?? ""
        language = try text("language") == "es" ? .spanish : .english
        self.text = try text("text") ?? ""
        now = Self.zone.instant(of: try Self.time(try text("now")))
        want = try text("want")
        first = try text("first").map { try Self.time($0) }
        let ends = try node["first_between"]?.sequence().map { try Self.time($0.string()) }
        between = ends.map { $0[0]...$0[1] }
        repetition = try text("repeat") ?? "none"
        times = try (node["times"]?.sequence() ?? []).compactMap { try Self.time("2026-01-01T" + $0.string()).time }
        until = try text("until").map { try Self.time($0.count == 10 ? $0 + "T23:59" : $0) }
        count = try node["count"]?.integer()
    }

    /// Reads the phrasing with the grammar.
    var reading: ReminderWords.Reading {
        ReminderWords(at: now, in: Self.zone, language: language, companion: "Milo").read(text)
    }

    /// Judges a reading.
    func outcome(_ reading: ReminderWords.Reading) -> Outcome {
        switch (want, reading) {
        case ("none", .notAReminder), ("ask", .unsure): .right
        case (_, .unsure): .asked
        case (_, .notAReminder): .ignored
        case (nil, .understood(let plan)): fault(plan) == nil ? .right : .wrong
        case (_, .understood): .wrong
        }
    }

    /// Fault of a reminder, which is told when it is due or ahead of that; nil when it has none.
    func fault(_ plan: PlannedReminder) -> String? {
        fault(plan.schedule, leadMinutes: 0)
            .flatMap { plan.leadMinutes > 0 && fault(plan.schedule, leadMinutes: plan.leadMinutes) == nil ? nil : $0 }
    }

    private func fault(_ schedule: ReminderSchedule, leadMinutes: Int) -> String? {
        let due = schedule.dueTimes(from: now, until: now.addingTimeInterval(400 * 86_400), in: Self.zone)
            .map { Self.zone.localTime(at: $0.addingTimeInterval(-Double(leadMinutes) * 60)) }
        guard let begin = due.first, let first else { return "never due" }
        let isFirst =
            begin == first || between.map { $0.contains(begin) } ?? false
            || times.contains(begin.time) && begin >= first && begin.day.adding(-1) <= first.day
        guard isFirst else { return "first \(begin.text), not \(first.text)" }
        let said = Self.repetition(of: schedule)
        let isSame = said == repetition || repetition.hasSuffix("hours") && Self.isHourly(due, repetition)
        guard isSame || (repetition == "none" && due.count == max(1, times.count)) else {
            return "\(said), not \(repetition)"
        }
        if !times.isEmpty, Set(due.map(\.time)) != Set(times) { return "at \(Set(due.map(\.time.minuteOfDay)))" }
        return endFault(due)
    }

    private func endFault(_ due: [LocalTime]) -> String? {
        let last = due[due.count - 1]
        if let count, due.count == count { return nil }
        if let until {
            let slack = repetition.hasSuffix("hours") ? 1 : 0
            guard last <= LocalTime(until.day.adding(slack), until.time) else { return "lasts to \(last.text)" }
            let next = last.day.adding(repetition.contains("week") ? 32 : repetition == "monthly" ? 62 : 4)
            return LocalTime(next, last.time) > until ? nil : "ends at \(last.text)"
        }
        if count != nil { return "\(due.count) times" }
        let lasts = due.count >= 300 || last.day > due[0].day.adding(330) || repetition == "yearly"
        return repetition == "none" || lasts ? nil : "ends by itself"
    }

    private static func isHourly(_ due: [LocalTime], _ repetition: String) -> Bool {
        guard let hours = Int(repetition.split(separator: " ")[1]), due.count > 1 else { return false }
        let gaps = zip(due, due.dropFirst()).filter { $0.day == $1.day }
        return gaps.allSatisfy { $1.time.minuteOfDay - $0.time.minuteOfDay == hours * 60 }
    }

    private static func repetition(of schedule: ReminderSchedule) -> String {
        guard case .recurring(let recurrence) = schedule else { return "none" }
        switch recurrence.pattern {
        case .once: return "none"
        case .daily(1): return "daily"
        case .daily(let every): return "every \(every) days"
        case .weekly(let every, let days):
            guard every == 1 else { return "every \(every) weeks" }
            let codes = Weekday.allCases.sorted().filter { days.contains($0) }.map(\.letters)
            if codes == ["MO", "TU", "WE", "TH", "FR"] { return "weekdays" }
            return codes.count == 7 ? "daily" : "weekly(\(codes.joined(separator: ",")))"
        case .monthly(let every, _), .monthlyWeekday(let every, _, _):
            return every == 1 ? "monthly" : every == 12 ? "yearly" : "every \(every) months"
        }
    }

    private static func time(_ text: String?) throws -> LocalTime {
        let numbers = (text ?? "").split { "-T:".contains($0) }.compactMap { Int($0) }
        guard numbers.count == 5, let day = LocalDay(year: numbers[0], month: numbers[1], day: numbers[2]),
            let time = TimeOfDay(hour: numbers[3], minute: numbers[4])
        else { throw Unreadable(text: text ?? "") }
        return LocalTime(day, time)
    }

    struct Unreadable: Error { let text: String }
}

extension Weekday {
    /// The two letters of RFC 5545.
    fileprivate var letters: String { ["SU", "MO", "TU", "WE", "TH", "FR", "SA"][rawValue - 1] }
}

extension LocalTime {
    /// The digits of the day and the time.
    fileprivate var text: String { "\(day.year)-\(day.month)-\(day.day) \(time.hour):\(time.minute)" }
}
