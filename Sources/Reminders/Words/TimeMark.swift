/// A day as it was said.
enum SaidDay: Sendable, Hashable {
    /// Days from today.
    case inDays(Int)
    /// The coming such day of the week.
    case coming(Weekday)
    /// The one that was called the next, which may be the coming one or the one after it.
    case next(Weekday)
    /// The one of the week after this.
    case nextWeek(Weekday)
    /// Weeks after the coming one.
    case weeks(Int, after: Weekday)
    /// A date, perhaps with its year; the day -1 is the last of the month.
    case date(month: Int, day: Int, year: Int?)
    /// A day of this month or the next.
    case ofMonth(Int)
    /// The last day of this month.
    case endOfMonth
    /// The first to fourth such weekday of a month.
    case weekdayOfMonth(month: Int, ordinal: Int, Weekday)
}

/// The part of a due time that some words express.
enum TimeMark: Sendable, Hashable {
    /// Words that ask to be reminded; like the next three kinds, they say nothing about the time.
    case request
    /// Words that ask to be told something; with a time they become a reminder: "wake me".
    case telling
    /// Words of a duty or a wish, before what is to be done: "I have to".
    case wish
    /// Words that mean nothing for a reminder: "if you don't mind".
    case aside
    /// Times of day.
    case clocks([SaidClock])
    /// A part of the day.
    case part(DayPart)
    /// Minutes after a meal, or before it when negative.
    case meal(Meal, minutes: Int)
    /// Minutes before or after a meal that somebody counts from; the meal may have its own time.
    case besideMeal(Meal, minutes: Int)
    /// A meal, as a time.
    case eating(SaidClock)
    /// Minutes from now.
    case fromNow(minutes: Int)
    /// A day.
    case day(SaidDay)
    /// A weekday together with its date, which must agree.
    case dayCalled(Weekday, SaidDay)
    /// Days before the day that is named.
    case daysBefore(Int)
    /// Every so many days.
    case everyDays(Int)
    /// On these days of every so many weeks.
    case weekdays(Set<Weekday>, every: Int)
    /// Every so many weeks, the day left open.
    case everyWeeks(Int)
    /// On this day of every so many months; -1 is the last.
    case monthDay(Int, every: Int)
    /// On such a weekday of every so many months.
    case monthWeekday(Int, Weekday, every: Int)
    /// Every so many months, the day left open.
    case everyMonths(Int)
    /// Times a day.
    case timesADay(Int)
    /// Times a week, the days left open.
    case timesAWeek
    /// Every so many minutes of a day.
    case everyMinutes(Int)
    /// Between two times of day.
    case between(SaidClock, SaidClock)
    /// Not on these days of the week.
    case except(Set<Weekday>)
    /// Not before this day.
    case start(SaidDay)
    /// Up to and with this day.
    case until(SaidDay)
    /// For so many days.
    case forDays(Int)
    /// For so many months.
    case forMonths(Int)
    /// Number of times.
    case count(Int)
    /// Up to a time of the day, which is the last.
    case untilTime(SaidClock)
    /// At the time of day at which it is said.
    case sameTime
    /// Minutes ahead.
    case ahead(minutes: Int)
    /// Understood words that need a question.
    case open(ReminderQuestion)
}
