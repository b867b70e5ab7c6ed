import Foundation
import Runtime

/// Reads the pause that a provider asks for (RFC 9110, section 10.2.3).
enum RetryAfter {
    private static let longest = Duration.seconds(3600)

    /// The pause in a response's header fields, at most an hour; nil when there is none.
    ///
    /// The finer `retry-after-ms` of some hosts takes precedence.
    static func duration(in headers: HeaderFields, now: Date = Date()) -> Duration? {
        if let milliseconds = headers["Retry-After-Ms"].flatMap(Double.init) { return bounded(milliseconds / 1000) }
        guard let value = headers["Retry-After"] else { return nil }
        if let seconds = Double(value) { return bounded(seconds) }
        return date(value).flatMap { bounded($0.timeIntervalSince(now)) }
    }

    private static func bounded(_ seconds: Double) -> Duration? {
        guard seconds.isFinite else { return nil }
        return min(longest, .milliseconds(Int64((min(max(0, seconds), longest.seconds) * 1000).rounded())))
    }

    private static func date(_ text: String) -> Date? {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(secondsFromGMT: 0)
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return format.date(from: text)
    }
}
