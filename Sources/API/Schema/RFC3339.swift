package import Foundation

/// Reads and writes dates and times of RFC 3339, section 5.6.
///
/// Foundation's parsers accept text outside the grammar, such as a missing zone; this one accepts the grammar only. A
/// leap second counts as the following second.
package enum RFC3339 {
    private static let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    /// Parses a text with date, time and zone; returns nil when it is invalid.
    package static func date(_ text: String) -> Date? {
        var scanner = RFC3339Scanner(text)
        guard let day = scanner.day(), scanner.take("T") || scanner.take("t"), let second = scanner.secondOfDay(),
            let offset = scanner.zone(), scanner.isAtEnd
        else { return nil }
        return Date(timeIntervalSince1970: Double(day * 86_400 - offset) + second)
    }

    /// Returns true when the text is an existing date.
    package static func isDay(_ text: String) -> Bool {
        var scanner = RFC3339Scanner(text)
        return scanner.day() != nil && scanner.isAtEnd
    }

    /// Writes an instant in Coordinated Universal Time, to the millisecond.
    package static func text(_ date: Date) -> String {
        date.formatted(format)
    }

    /// Writes the day of an instant in a zone.
    package static func day(_ date: Date, in zone: TimeZone) -> String {
        date.formatted(Date.ISO8601FormatStyle(timeZone: zone).year().month().day())
    }

    /// Writes the time of day in a zone, to the second.
    package static func timeOfDay(_ date: Date, in zone: TimeZone) -> String {
        date.formatted(Date.ISO8601FormatStyle(timeZone: zone).time(includingFractionalSeconds: false))
    }
}
