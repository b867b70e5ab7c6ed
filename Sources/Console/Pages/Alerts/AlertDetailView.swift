import Domain
import Foundation

/// One alert: its facts, the conversation around it, its history and the available actions.
struct AlertDetailView: Sendable {
    let sheet: AlertReport
    let call: ConsoleRequestContext

    private var line: AlertListItem { sheet.queued.line }
    private var masking: Masking { call.masking }

    var html: HTML {
        """
        <div class="panels"><section class="panel"><h2>Facts</h2>\(facts)</section>\(actions)</div>
        <h2>Conversation</h2>\(conversation)
        <h2>History</h2>\(history)
        <p class="unseen" id="news" role="status" aria-live="polite"></p>
        """
    }

    private var facts: HTML {
        let clock: HTML =
            line.acknowledgedAt == nil && line.state != .resolved
            ? AlertClockView(dueAt: sheet.queued.dueAt, date: call.date).html : "stopped"
        let rule: HTML =
            sheet.rule.map { "<a href=\"\(ConsolePath("rules", $0))\">\($0)</a>" } ?? "none; not raised by a message"
        let note: HTML =
            sheet.handoverNote.isEmpty
            ? "" : "<dt>Last note</dt><dd><bdi>\(masking.words(sheet.handoverNote))</bdi></dd>"
        return """
            <dl class="facts"><dt>Patient</dt><dd><bdi>\(masking.name(sheet.queued.patientName, of: line.patient))</bdi></dd>\
            <dt>Summary</dt><dd><bdi>\(masking.words(sheet.summary))</bdi></dd>\
            <dt>Level</dt><dd>\(Badge(line.level).html)</dd><dt>Time left</dt><dd>\(clock)</dd>\
            <dt>State</dt><dd>\(AlertLabels.state(line.state))</dd>\
            <dt>Raised</dt><dd>\(Figure.time(line.raisedAt))</dd><dt>Rule</dt><dd>\(rule)</dd>\(note)</dl>
            """
    }

    // MARK: Actions

    private var actions: HTML {
        guard call.may(.operator) else { return "" }
        switch line.state {
        case .acknowledged:
            return "<section class=\"panel\"><h2>Hand over or resolve</h2>\(handover)\(closing)</section>"
        case .resolved, .withdrawn, .grouped, .digested: return ""
        case .recorded, .held, .waiting, .notified, .escalated, .exhausted:
            return "<section class=\"panel\"><h2>Acknowledge</h2>\(acknowledgement)</section>"
        }
    }

    private var acknowledgement: HTML {
        let note = Field(
            "note",
            "Note",
            .text(rows: 3),
            hint: "Stored with the alert. Contacts notified before you get no further messages about it."
        )
        return call.form(
            to: AlertsPage.path(of: line, "acknowledge"),
            "\(note.html)<div class=\"buttons\"><button type=\"submit\">Acknowledge</button></div>"
        )
    }

    private var handover: HTML {
        let to = Field("to", "Hand over to", isRequired: true, mostCharacters: 200)
        let note = Field("note", "Note", .text(rows: 3))
        return call.form(
            to: AlertsPage.path(of: line, "hand-over"),
            "\(to.html)\(note.html)<div class=\"buttons\"><button type=\"submit\">Hand over</button></div>"
        )
    }

    private var closing: HTML {
        let note = Field("end", "Outcome", .text(rows: 2), isRequired: true)
        return call.form(
            to: AlertsPage.path(of: line, "resolve"),
            "<h3>Resolve</h3>\(note.html)<div class=\"buttons\"><button type=\"submit\" class=\"plain\">Resolve</button></div>"
        )
    }

    // MARK: What happened

    private var conversation: HTML {
        guard !sheet.messages.isEmpty else { return "<p class=\"quiet\">No messages within a day of the alert.</p>" }
        let items = sheet.messages.map { message in
            let isCause = message.id == sheet.message
            let mark: HTML = isCause ? " class=\"cause\"" : ""
            let note: HTML = isCause ? "<span class=\"badge warning\">raised the alert</span>" : ""
            let answer: HTML =
                message.answered.map { "<p class=\"answered\"><b>Companion:</b> <bdi>\(masking.words($0))</bdi></p>" }
                ?? "<p class=\"quiet\">No reply was stored.</p>"
            return """
                <li\(mark)><p class="when">\(Figure.time(message.spokenAt)) \(Badge(message.level).html) \(note)</p>\
                <p><b>Patient:</b> <bdi>\(masking.words(message.said))</bdi></p>\(answer)\(turn(message.id))</li>
                """ as HTML
        }
        return "<ol class=\"talk\">\(items)</ol>"
    }

    private func turn(_ message: MessageID) -> HTML {
        let path = ConsolePath("turns", line.patient.description, message.description)
        return "<p><a href=\"\(path)\">Turn details</a></p>"
    }

    private var history: HTML {
        var table = Table(
            "History of the alert",
            columns: ["Time", "Event", "Channel", "Actor", "Note"]
        )
        table.add(Figure.time(line.raisedAt), "raised", "", "", "")
        for event in sheet.history {
            table.add(
                Figure.time(event.at),
                "\(AlertLabels.event(event.state))",
                Self.apart(way(event.dispatch)),
                "\(ActorName.text(of: event.actor))",
                Self.apart(event.note)
            )
        }
        return table.html()
    }

    /// Isolates free text, which may run in the other direction; empty for an empty text.
    private static func apart(_ words: String) -> HTML { words.isEmpty ? .none : "<bdi>\(words)</bdi>" }

    /// "sms to Sarah"; without the name for roles that may not read names.
    private func way(_ dispatch: String) -> String {
        guard masking.isOn, let channel = dispatch.split(separator: " ").first else { return dispatch }
        return "\(channel) to a contact"
    }
}

/// Display names of alerts, categories and states.
enum AlertLabels {
    /// Name of a category: "Self harm", "Emergency button".
    static func name(of category: Domain.Category) -> String {
        let words = category.rawValue.replacing("_", with: " ")
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    /// State of an alert as a clause without a full stop.
    static func state(_ state: AlertState) -> String {
        switch state {
        case .recorded: "recorded, nobody notified yet"
        case .held: "waiting for the patient's confirmation"
        case .waiting: "waiting for the daily digest"
        case .notified: "contacts notified"
        case .escalated: "escalated to the operators"
        case .acknowledged: "acknowledged"
        case .resolved: "resolved"
        case .withdrawn: "withdrawn before anybody was notified"
        case .grouped: "grouped with an earlier alert"
        case .digested: "sent in a digest"
        case .exhausted: "exhausted, nobody acknowledged"
        }
    }

    /// Description of an event, by its name in the history.
    static func event(_ name: String) -> String {
        if let known = AlertState(rawValue: name) { return state(known) }
        return switch name {
        case "handed_over": "handed over"
        case "sending": "sending"
        case "retrying": "retry scheduled"
        case "accepted": "accepted by the provider"
        case "delivered": "delivered"
        case "seen": "opened"
        case "failed": "failed"
        default: name.replacing("_", with: " ")
        }
    }
}
