import Conversation
import Foundation

/// What is left of an alert's clock, in words; a script counts it down.
///
/// It is a timer, which readers of the screen do not read out at every second; the queue's page says aloud when half a
/// minute is left and when it is over.
struct AlertClockView: Sendable {
    /// When somebody should have taken the alert on; nil for a level that nobody waits for.
    let dueAt: Date?
    /// Now.
    let date: Date

    var html: HTML {
        guard let dueAt else { return "<span class=\"quiet\">no clock</span>" }
        let left = dueAt.timeIntervalSince(date)
        let kind: HTML = left < 0 ? "clock over" : left < 30 ? "clock soon" : "clock"
        return """
            <span class="\(kind)" role="timer" data-due="\(dueAt.formatted(.iso8601))">\(Self.words(left))</span>
            """
    }

    /// "42 s left", "3 min 5 s left", "1 h 5 min left", "20 s over".
    static func words(_ seconds: Double) -> String {
        let whole = Int(abs(seconds))
        let (hours, minutes, rest) = (whole / 3_600, whole / 60 % 60, whole % 60)
        let amount =
            hours > 0 ? "\(hours) h \(minutes) min" : minutes > 0 ? "\(minutes) min \(rest) s" : "\(rest) s"
        return "\(amount) \(seconds < 0 ? "over" : "left")"
    }
}
