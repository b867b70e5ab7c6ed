package import Foundation

/// Converts PostgreSQL's times: microseconds since the start of 2000, UTC.
enum PostgresTime {
    /// Seconds from 1970 to 2000.
    private static let epoch: TimeInterval = 946_684_800

    /// Converts a date to the nearest microsecond; clamps it to PostgreSQL's range, 4713 BC to 294276.
    static func microseconds(of date: Date) -> Int64 {
        let exact = ((date.timeIntervalSince1970 - epoch) * 1_000_000).rounded()
        return Int64(min(max(exact, -211_813_488_000_000_000), 9_223_371_331_199_998_976))
    }

    /// Converts microseconds to a date.
    static func date(microseconds: Int64) -> Date {
        Date(timeIntervalSince1970: Double(microseconds) / 1_000_000 + epoch)
    }
}

/// A calendar day without time or zone: PostgreSQL's `date`.
package struct CalendarDay: Hashable, Sendable, CustomStringConvertible {
    /// Days since 1 January 2000; negative before.
    package let daysSince2000: Int32

    /// Creates the day from its number of days since 1 January 2000.
    package init(daysSince2000: Int32) {
        self.daysSince2000 = daysSince2000
    }

    /// Returns the day of a date in the Gregorian calendar and a time zone.
    package init(of date: Date, in timeZone: TimeZone) {
        let local = date.timeIntervalSince1970 + Double(timeZone.secondsFromGMT(for: date))
        daysSince2000 = Int32(clamping: Int64((local / 86_400).rounded(.down)) - 10_957)
    }

    /// The day in the form "2026-03-01".
    package var description: String {
        Date(timeIntervalSince1970: (Double(daysSince2000) + 10_957) * 86_400).formatted(.iso8601.year().month().day())
    }
}
