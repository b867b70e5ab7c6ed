package import Foundation

/// PostgreSQL's times: microseconds since the beginning of 2000, UTC.
enum PostgresTime {
    /// From 1970 until 2000.
    private static let epoch: TimeInterval = 946_684_800

    /// The microseconds of a date, to the nearest; dates outside PostgreSQL's range are held to the years 4713 BC and
    /// 294276, its first and last.
    static func microseconds(of date: Date) -> Int64 {
        let exact = ((date.timeIntervalSince1970 - epoch) * 1_000_000).rounded()
        return Int64(min(max(exact, -211_813_488_000_000_000), 9_223_371_331_199_998_976))
    }

    /// The date of some microseconds.
    static func date(microseconds: Int64) -> Date {
        Date(timeIntervalSince1970: Double(microseconds) / 1_000_000 + epoch)
    }
}

/// A day of the calendar, without a time or a zone: PostgreSQL's `date`.
package struct CalendarDay: Hashable, Sendable, CustomStringConvertible {
    /// Days since the first of January 2000; negative before.
    package let daysSince2000: Int32

    /// The day that many days after the first of January 2000.
    package init(daysSince2000: Int32) {
        self.daysSince2000 = daysSince2000
    }

    /// The day of a date in the Gregorian calendar, in a time zone.
    package init(of date: Date, in timeZone: TimeZone) {
        let local = date.timeIntervalSince1970 + Double(timeZone.secondsFromGMT(for: date))
        daysSince2000 = Int32(clamping: Int64((local / 86_400).rounded(.down)) - 10_957)
    }

    /// The day as "2026-03-01".
    package var description: String {
        Date(timeIntervalSince1970: (Double(daysSince2000) + 10_957) * 86_400).formatted(.iso8601.year().month().day())
    }
}
