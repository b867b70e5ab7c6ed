import Conversation
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
        <p class="quiet">The alert with the least time left comes first. The list looks for news every five seconds.</p>
        <p class="unseen" id="news" role="status" aria-live="polite"></p>
        <div id="queue" data-source="\(AlertsPage.queuePath)">\(lists)</div>
        """
    }

    /// Both lists, as the script inserts them.
    var lists: HTML {
        var open = Table(
            "Alerts that nobody has taken on",
            columns: ["Alert", "Level", "Time left", "Stands", "Asked", "Raised"]
        )
        for alert in waiting {
            open.add(
                link(alert),
                Badge(alert.line.level).html,
                AlertClockView(dueAt: alert.dueAt, date: date).html,
                "\(AlertWords.state(alert.line.state))\(next(alert))",
                told(alert),
                Figure.time(alert.line.raisedAt)
            )
        }
        var mine = Table("Alerts that somebody has taken on", columns: ["Alert", "Level", "Taken on", "Raised"])
        for alert in taken {
            mine.add(
                link(alert),
                Badge(alert.line.level).html,
                alert.line.acknowledgedAt.map { Figure.time($0) } ?? "",
                Figure.time(alert.line.raisedAt)
            )
        }
        return """
            <h2>Waiting <span class="count">\(waiting.count)</span></h2>
            \(open.html(ifEmpty: "Nobody waits for an answer."))
            <h2>Taken on <span class="count">\(taken.count)</span></h2>
            \(mine.html(ifEmpty: "Nothing is being looked after at the moment."))
            """
    }

    private func link(_ alert: QueuedAlert) -> HTML {
        let name = masking.name(alert.patientName, of: alert.line.patient)
        return """
            <a id="alert-\(alert.line.id)" href="\(AlertsPage.path(of: alert.line))">\
            \(AlertWords.name(of: alert.line.category)), <bdi>\(name)</bdi></a>
            """
    }

    private func next(_ alert: QueuedAlert) -> HTML {
        guard let at = alert.nextStepAt, at > date else { return "" }
        return "<br><span class=\"quiet\">more are asked at \(Figure.time(at))</span>"
    }

    private func told(_ alert: QueuedAlert) -> HTML {
        "\(alert.told) \(alert.told == 1 ? "contact" : "contacts")"
    }
}
