package import Foundation

/// Dates and times as RFC 3339, section 5.6, writes them.
///
/// Foundation's parsers take what the grammar does not (a missing zone, one digit for two); this one takes the grammar.
/// A leap second counts as the second after it.
package enum RFC3339 {
    private static let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    /// The instant that a text with date, time and zone names; nil when it is none.
    package static func date(_ text: String) -> Date? {
        var scanner = RFC3339Scanner(text)
        guard let day = scanner.day(), scanner.take("T") || scanner.take("t"), let second = scanner.secondOfDay(),
            let offset = scanner.zone(), scanner.isAtEnd
        else { return nil }
        return Date(timeIntervalSince1970: Double(day * 86_400 - offset) + second)
    }

    /// Whether a text is a date that exists.
    package static func isDay(_ text: String) -> Bool {
        var scanner = RFC3339Scanner(text)
        return scanner.day() != nil && scanner.isAtEnd
    }

    /// An instant in Coordinated Universal Time, to the millisecond.
    package static func text(_ date: Date) -> String {
        date.formatted(format)
    }

    /// The day that holds an instant in a zone.
    package static func day(_ date: Date, in zone: TimeZone) -> String {
        date.formatted(Date.ISO8601FormatStyle(timeZone: zone).year().month().day())
    }

    /// The time of day in a zone, to the second.
    package static func timeOfDay(_ date: Date, in zone: TimeZone) -> String {
        date.formatted(Date.ISO8601FormatStyle(timeZone: zone).time(includingFractionalSeconds: false))
    }
}
