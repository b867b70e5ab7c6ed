import Foundation

/// Reads a repetition: its days, its first day and its last.
extension ScheduleReading {
    /// The pattern that was said; nil when it is once.
    func pattern() throws(ReminderQuestion) -> Recurrence.Pattern? {
        var repeats: [TimeMark] = []
        var isDaily = false
        var without: Set<Weekday> = []
        for mark in marks {
            switch mark {
            case .everyDays(1): isDaily = true
            case .everyDays, .weekdays, .everyWeeks, .monthDay, .monthWeekday, .everyMonths:
                if !repeats.contains(mark) { repeats.append(mark) }
            case .timesADay, .everyMinutes: isDaily = isDaily || !isOnOneDay
            case .forDays, .forMonths, .until: isDaily = true
            case .timesAWeek: throw .weekdays
            case .except(let days): without.formUnion(days)
            default: continue
            }
        }
        // "Every week" beside days of the week says nothing more.
        if repeats.count > 1, repeats.contains(where: { if case .weekdays(_, every: 1) = $0 { true } else { false } }) {
            repeats.removeAll { $0 == .everyWeeks(1) }
        }
        guard repeats.count <= 1 else { throw .unclear }
        guard let said = repeats.first else {
            guard isDaily || !without.isEmpty else { return nil }
            return without.isEmpty ? .daily(every: 1) : try weekly(Set(Weekday.allCases), 1, without)
        }
        if case .weekdays(let days, let every) = said {
            // "Daily, only on Sundays leave me be" names the days of something else.
            guard !marks.contains(.everyDays(1)) || days.count >= 5 else { throw .weekdays }
            return try weekly(days, every, without)
        }
        guard without.isEmpty else { throw .unclear }
        return try pattern(said)
    }

    /// Whether one day is named, on which something may come several times.
    private var isOnOneDay: Bool {
        marks.contains { if case .day = $0 { true } else { false } }
            && !marks.contains { mark in
                switch mark {
                case .start, .until, .forDays, .forMonths, .count: true
                default: mark.isRepetition && !mark.isWithinADay
                }
            }
    }

    private func weekly(
        _ days: Set<Weekday>,
        _ every: Int,
        _ without: Set<Weekday>
    ) throws(ReminderQuestion) -> Recurrence.Pattern {
        let left = days.subtracting(without)
        guard !left.isEmpty, without.isSubset(of: days) else { throw .weekdays }
        return .weekly(every: every, on: left)
    }

    private func pattern(_ said: TimeMark) throws(ReminderQuestion) -> Recurrence.Pattern {
        let begin = try startDay()
        switch said {
        case .everyDays(let every): return .daily(every: every)
        case .everyWeeks(let every):
            guard let day = try day() ?? begin ?? known?.day else { throw .weekdays }
            return .weekly(every: every, on: [day.weekday])
        case .monthDay(let day, let every):
            guard day <= 28 else { throw .lastDay(day) }
            return .monthly(every: every, on: [day])
        case .monthWeekday(let ordinal, let weekday, let every):
            return .monthlyWeekday(every: every, ordinal: ordinal, weekday)
        case .everyMonths(let every):
            guard let day = try day() ?? begin ?? known?.day else { throw .day }
            guard day.day <= 28 else { throw .lastDay(day.day) }
            return .monthly(every: every, on: [day.day])
        default: throw .unclear
        }
    }

    /// The day from which it is to come; nil when none is said.
    private func startDay() throws(ReminderQuestion) -> LocalDay? {
        let starts = marks.compactMap { if case .start(let day) = $0 { day } else { nil } }
        guard let first = starts.first, starts.count == 1 else { return nil }
        return try DayReading(today: today, language: language).day(first)
    }

    func recurrence(_ pattern: Recurrence.Pattern, at times: [TimeOfDay]) throws(ReminderQuestion) -> Recurrence {
        let earliest = try earliest(pattern)
        let unending = try made(pattern, times, from: earliest, .never)
        if let known, unending.start != known { throw .unclear }
        let reading = DayReading(today: today, language: language)
        var ends: [Recurrence.End] = []
        let last = TimeOfDay(minuteOfDay: 1439)
        for mark in marks {
            switch mark {
            case .until(let day): ends.append(.until(LocalTime(try reading.day(day), last)))
            case .forDays(let days): ends.append(.until(LocalTime(unending.start.day.adding(days - 1), last)))
            case .forMonths(let months):
                ends.append(.until(LocalTime(unending.start.day.adding(months: months).adding(-1), last)))
            case .count(let count): ends.append(.count(count))
            default: continue
            }
        }
        guard ends.count <= 1 else { throw .unclear }
        return try made(pattern, times, from: earliest, ends.first ?? .never)
    }

    /// The first time that is possible: now, or the day on which it is said to start.
    private func earliest(_ pattern: Recurrence.Pattern) throws(ReminderQuestion) -> LocalTime {
        let soon = zone.localTime(at: now.addingTimeInterval(60))
        let starts = marks.compactMap { if case .start(let day) = $0 { day } else { nil } }
        guard starts.count <= 1 else { throw .unclear }
        // "From tomorrow at eight, every six hours" may begin before eight, and asks.
        let isHourly = marks.contains { if case .everyMinutes = $0 { true } else { false } }
        let isClocked = marks.contains { if case .clocks = $0 { true } else { false } }
        let reading = DayReading(today: today, language: language)
        if isHourly, isClocked, let first = try starts.first.map(reading.day), first > today { throw .hours }
        let needsDay = marks.contains { mark in
            switch mark {
            case .everyWeeks, .everyMonths: true
            default: false
            }
        }
        let named = try day()
        guard needsDay || named == nil else { throw .unclear }
        guard let day = try starts.first.map(reading.day) ?? named ?? known?.day else { return soon }
        guard day >= today else { throw .past }
        return max(soon, LocalTime(day, TimeOfDay(minuteOfDay: 0)))
    }

    func made(
        _ pattern: Recurrence.Pattern,
        _ times: [TimeOfDay],
        from earliest: LocalTime,
        _ end: Recurrence.End
    ) throws(ReminderQuestion) -> Recurrence {
        do {
            return try Recurrence(pattern, at: times, from: earliest, end: end)
        } catch .neverDue {
            throw .past
        } catch {
            throw .unclear
        }
    }
}

extension LocalDay {
    /// The same day of a later month, or the month's last when it has no such day.
    fileprivate func adding(months: Int) -> LocalDay {
        let month = year * 12 + self.month - 1 + months
        let length = LocalDay.length(year: month / 12, month: month % 12 + 1)
        return LocalDay(year: month / 12, month: month % 12 + 1, day: min(day, length)) ?? self
    }
}
