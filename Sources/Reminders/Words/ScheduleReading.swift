import Foundation

/// Makes a schedule of what the words say of when, or asks for what they leave open.
struct ScheduleReading {
    let marks: [TimeMark]
    let now: Date
    let zone: TimeZone
    let language: ReminderLanguage
    let kind: ReminderKind
    let hints: ScheduleHints
    /// The first time, when a device says it.
    let known: LocalTime?

    var today: LocalDay { zone.localTime(at: now).day }

    func schedule() throws(ReminderQuestion) -> ReminderSchedule {
        for mark in marks { if case .open(let question) = mark { throw question } }
        if let minutes = try fromNow() { return .once(now.addingTimeInterval(Double(minutes * 60))) }
        let times = try ReminderTimes(self).times()
        if times.count > 1, marks.contains(where: { if case .daysBefore = $0 { true } else { false } }) {
            throw .oneAtATime
        }
        guard let pattern = try pattern() else { return try once(at: times) }
        return .recurring(try recurrence(pattern, at: times))
    }

    private func fromNow() throws(ReminderQuestion) -> Int? {
        let minutes = marks.compactMap { if case .fromNow(let minutes) = $0 { minutes } else { nil } }
        guard let first = minutes.first else { return nil }
        guard marks.count == 1, (1...7 * 1440).contains(first) else { throw .unclear }
        return first
    }

    /// The days that were named.
    private var days: [TimeMark] {
        var days: [TimeMark] = []
        for mark in marks where !days.contains(mark) {
            switch mark {
            case .day, .dayCalled: days.append(mark)
            default: continue
            }
        }
        return days
    }

    func day() throws(ReminderQuestion) -> LocalDay? {
        let ahead = marks.compactMap { if case .daysBefore(let days) = $0 { days } else { nil } }
        guard let before = ahead.first else { return try named() }
        guard ahead.count == 1, !marks.contains(where: \.isRepetition), let day = try named() else { throw .day }
        return day.adding(-before)
    }

    private func named() throws(ReminderQuestion) -> LocalDay? {
        let days = days
        guard days.count <= 1 else {
            let areWeekdays = days.allSatisfy { if case .day(.coming) = $0 { true } else { false } }
            throw areWeekdays ? .often : .oneAtATime
        }
        let reading = DayReading(today: today, language: language)
        switch days.first {
        case .day(let day): return try reading.day(day)
        case .dayCalled(let weekday, let said):
            let day = try reading.day(said)
            guard day.weekday == weekday else { throw .day }
            return day
        default: return nil
        }
    }

    private func once(at times: [TimeOfDay]) throws(ReminderQuestion) -> ReminderSchedule {
        let said = try day()
        if marks.contains(where: { if case .start = $0 { true } else { false } }) { throw .often }
        guard times.count == 1, let time = times.first else {
            guard let said else { throw .often }
            let end = Recurrence.End.until(LocalTime(said, TimeOfDay(minuteOfDay: 1439)))
            return .recurring(try made(.daily(every: 1), times, from: LocalTime(said, TimeOfDay(minuteOfDay: 0)), end))
        }
        if said != nil, time.hour == 0 { throw .half(hour: 12, minute: time.minute) }
        var day = said ?? known?.day ?? today
        if said == nil, known == nil, zone.instant(of: LocalTime(day, time)) <= now { day = day.adding(1) }
        let instant = zone.instant(of: LocalTime(day, time))
        guard instant > now else { throw .past }
        return .once(instant)
    }
}
