import Domain
import Foundation

/// The queue of unacknowledged alerts and the list of acknowledged ones.
struct AlertQueueView: Sendable {
    let waiting: [QueuedAlert]
    let taken: [QueuedAlert]
    let masking: Masking
    let date: Date

    /// The page's content; a script refreshes the queue every five seconds.
    var html: HTML {
        """
        <p class="quiet">The alert with the least time left comes first. The list refreshes every five seconds.</p>
        <p class="unseen" id="news" role="status" aria-live="polite"></p>
        <div id="queue" data-source="\(AlertsPage.queuePath)">\(lists)</div>
        """
    }

    /// Both lists, as the script inserts them.
    var lists: HTML {
        var open = Table(
            "Unacknowledged alerts",
            columns: ["Alert", "Level", "Time left", "State", "Notified", "Raised"]
        )
        for alert in waiting {
            open.add(
                link(alert),
                Badge(alert.line.level).html,
                AlertClockView(dueAt: alert.dueAt, date: date).html,
                "\(AlertLabels.state(alert.line.state))\(next(alert))",
                told(alert),
                Figure.time(alert.line.raisedAt)
            )
        }
        var mine = Table("Acknowledged alerts", columns: ["Alert", "Level", "Acknowledged", "Raised"])
        for alert in taken {
            mine.add(
                link(alert),
                Badge(alert.line.level).html,
                alert.line.acknowledgedAt.map { Figure.time($0) } ?? "",
                Figure.time(alert.line.raisedAt)
            )
        }
        return """
            <h2>Unacknowledged <span class="count">\(waiting.count)</span></h2>
            \(open.html(ifEmpty: "No unacknowledged alerts."))
            <h2>Acknowledged <span class="count">\(taken.count)</span></h2>
            \(mine.html(ifEmpty: "No acknowledged alerts."))
            """
    }

    private func link(_ alert: QueuedAlert) -> HTML {
        let name = masking.name(alert.patientName, of: alert.line.patient)
        return """
            <a id="alert-\(alert.line.id)" href="\(AlertsPage.path(of: alert.line))">\
            \(AlertLabels.name(of: alert.line.category)), <bdi>\(name)</bdi></a>
            """
    }

    private func next(_ alert: QueuedAlert) -> HTML {
        guard let at = alert.nextStepAt, at > date else { return "" }
        return "<br><span class=\"quiet\">escalates at \(Figure.time(at))</span>"
    }

    private func told(_ alert: QueuedAlert) -> HTML {
        "\(alert.told) \(alert.told == 1 ? "contact" : "contacts")"
    }
}

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

    /// "42 s left", "3 min 5 s left", "1 h 5 min left", "20 s over".
    static func words(_ seconds: Double) -> String {
        let whole = Int(abs(seconds))
        let (hours, minutes, rest) = (whole / 3_600, whole / 60 % 60, whole % 60)
        let amount =
            hours > 0 ? "\(hours) h \(minutes) min" : minutes > 0 ? "\(minutes) min \(rest) s" : "\(rest) s"
        return "\(amount) \(seconds < 0 ? "overdue" : "left")"
    }
}
