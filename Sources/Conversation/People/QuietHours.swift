package import Foundation

/// The part of the day in which a contact is not to be woken for what can wait.
///
/// By the clock on the contact's wall, whatever the date: on the nights when clocks are changed it is an hour longer or
/// shorter.
package struct QuietHours: Sendable, Equatable, Codable {
    /// The minute of the day at which it begins, 0 to 1439.
    package let from: Int
    /// The minute of the day at which it ends, 0 to 1439; before `from` when it goes past midnight.
    package let until: Int

    /// Makes quiet hours; nil when a minute is none of a day, or the two are the same.
    package init?(from: Int, until: Int) {
        guard (0..<1440).contains(from), (0..<1440).contains(until), from != until else { return nil }
        self.from = from
        self.until = until
    }

    /// Whether an instant is within them in a zone.
    package func contain(_ date: Date, in zone: TimeZone) -> Bool {
        let minute = Self.minute(of: date, in: zone)
        return from < until ? (from..<until).contains(minute) : minute >= from || minute < until
    }

    /// The first instant after a date at which they end; the date itself when it is not within them.
    package func end(after date: Date, in zone: TimeZone) -> Date {
        guard contain(date, in: zone) else { return date }
        return WallClock(zone).next(hour: until / 60, minute: until % 60, after: date)
    }

    private static func minute(of date: Date, in zone: TimeZone) -> Int {
        let seconds = Int(date.timeIntervalSince1970.rounded(.down)) + zone.secondsFromGMT(for: date)
        return ((seconds % 86_400) + 86_400) % 86_400 / 60
    }
}

/// Times of day in a zone, on days that may have 23, 24 or 25 hours.
package struct WallClock: Sendable {
    private let calendar: Calendar

    /// The clock of a zone.
    package init(_ zone: TimeZone) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        self.calendar = calendar
    }

    /// The first instant after a date at which the clock shows a time of day.
    ///
    /// A time that a day leaves out is taken as the first instant after the gap; one that a day has twice, as the first.
    package func next(hour: Int, minute: Int, after date: Date) -> Date {
        let time = DateComponents(hour: hour, minute: minute)
        let found = calendar.nextDate(
            after: date,
            matching: time,
            matchingPolicy: .nextTime,
            repeatedTimePolicy: .first,
            direction: .forward
        )
        return found ?? date.addingTimeInterval(86_400)
    }
}
