import Foundation

/// The time left to acknowledge an alert, in words; a script counts it down.
///
/// Its role is `timer`, so that screen readers do not announce every second. The page announces when 30 seconds are
/// left and when the time is over.
struct AlertClockView: Sendable {
    /// Deadline for the acknowledgement; nil for a level without one.
    let dueAt: Date?
    let date: Date

    var html: HTML {
        guard let dueAt else { return "<span class=\"quiet\">no deadline</span>" }
        let left = dueAt.timeIntervalSince(date)
        let kind: HTML = left < 0 ? "clock over" : left < 30 ? "clock soon" : "clock"
        return """
            <span class="\(kind)" role="timer" data-due="\(dueAt.formatted(.iso8601))">\(Self.words(left))</span>
            """
    }

    /// "42 s left", "3 min 5 s left", "1 h 5 min left", "20 s overdue".
    static func words(_ seconds: Double) -> String {
        let whole = Int(abs(seconds))
        let (hours, minutes, rest) = (whole / 3_600, whole / 60 % 60, whole % 60)
        let amount =
            hours > 0 ? "\(hours) h \(minutes) min" : minutes > 0 ? "\(minutes) min \(rest) s" : "\(rest) s"
        return Wording.say("\(amount) \(seconds < 0 ? "overdue" : "left")")
    }
}
