import Foundation
import Runtime

/// How long a provider asks to be left alone (RFC 9110, section 10.2.3).
enum RetryAfter {
    private static let longest = Duration.seconds(3600)

    /// The duration that an answer's header fields ask for, at most an hour; nil when they ask for none.
    ///
    /// `retry-after-ms` is finer and wins where it is given, as some hosts do.
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
