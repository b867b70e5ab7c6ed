import Domain
import Foundation

/// The history of an incident's alerts, the newest first.
struct IncidentHistoryView: Sendable {
    let incident: OpenIncident
    let history: [AlertHistoryEntry]
    let masking: Masking

    var html: HTML {
        var table = Table("History of the incident", columns: ["Time", "Event", "Channel", "Actor", "Note"])
        for event in history {
            table.add(
                Figure.time(event.at),
                event.note == "undone" ? "taken back" as HTML : "\(IncidentLabels.event(event.state))",
                Self.apart(way(event.dispatch)),
                "\(ActorName.text(of: event.actor))",
                Self.apart(note(event))
            )
        }
        for alert in incident.alerts.reversed() {
            table.add(
                Figure.time(alert.line.raisedAt),
                "raised: \(IncidentLabels.name(of: alert.line.category)) \(Badge(alert.line.level).html)",
                "",
                rule(alert),
                ""
            )
        }
        return table.html()
    }

    private func rule(_ alert: IncidentAlert) -> HTML {
        guard let rule = alert.rule else { return "no message" }
        return "<a href=\"\(ConsolePath("rules", rule))\">\(rule)</a>"
    }

    private func note(_ event: AlertHistoryEntry) -> String {
        ["noted", "handed_over"].contains(event.state) ? masking.words(event.note) : event.note
    }

    /// Isolates free text, which may run in the other direction; empty for an empty text.
    private static func apart(_ words: String) -> HTML { words.isEmpty ? .none : "<bdi>\(words)</bdi>" }

    /// "sms to Sarah"; without the name for roles that may not read names.
    private func way(_ dispatch: String) -> String {
        guard masking.isOn, let channel = dispatch.split(separator: " ").first else { return dispatch }
        return "\(channel) to a contact"
    }
}
