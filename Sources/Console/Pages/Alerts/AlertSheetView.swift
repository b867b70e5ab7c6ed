import Conversation
import Foundation

/// One alert: its facts, the conversation around it, its history and the available actions.
struct AlertSheetView: Sendable {
    let sheet: AlertSheet
    let call: ConsoleCall

    private var line: AlertSummaryLine { sheet.queued.line }
    private var masking: Masking { call.masking }

    var html: HTML {
        """
        <div class="panels"><section class="panel"><h2>What is known</h2>\(facts)</section>\(actions)</div>
        <h2>What was said around it</h2>\(conversation)
        <h2>Who was told when</h2>\(history)
        <p class="unseen" id="news" role="status" aria-live="polite"></p>
        """
    }

    private var facts: HTML {
        let clock: HTML =
            line.acknowledgedAt == nil && line.state != .resolved
            ? AlertClockView(dueAt: sheet.queued.dueAt, date: call.date).html : "stopped"
        let rule: HTML =
            sheet.rule.map { "<a href=\"\(ConsolePath("rules", $0))\">\($0)</a>" } ?? "none; no message decided it"
        let note: HTML =
            sheet.handoverNote.isEmpty
            ? "" : "<dt>Last note</dt><dd><bdi>\(masking.words(sheet.handoverNote))</bdi></dd>"
        return """
            <dl class="facts"><dt>Patient</dt><dd><bdi>\(masking.name(sheet.queued.patientName, of: line.patient))</bdi></dd>\
            <dt>Says</dt><dd><bdi>\(masking.words(sheet.summary))</bdi></dd>\
            <dt>Level</dt><dd>\(Badge(line.level).html)</dd><dt>Time left</dt><dd>\(clock)</dd>\
            <dt>Stands</dt><dd>\(AlertWords.state(line.state))</dd>\
            <dt>Raised</dt><dd>\(Figure.time(line.raisedAt))</dd><dt>Rule</dt><dd>\(rule)</dd>\(note)</dl>
            """
    }

    // MARK: Actions

    private var actions: HTML {
        guard call.may(.operator) else { return "" }
        switch line.state {
        case .acknowledged: return "<section class=\"panel\"><h2>Hand over or close</h2>\(handover)\(closing)</section>"
        case .resolved, .withdrawn, .grouped, .digested: return ""
        case .recorded, .held, .waiting, .notified, .escalated, .exhausted:
            return "<section class=\"panel\"><h2>Take it on</h2>\(acknowledgement)</section>"
        }
    }

    private var acknowledgement: HTML {
        let note = Field(
            "note",
            "What the next person should know",
            .text(rows: 3),
            hint: "Kept with the alert. Who was asked before you is told no more of it."
        )
        return call.form(
            to: AlertsPage.path(of: line, "acknowledge"),
            "\(note.html)<div class=\"buttons\"><button type=\"submit\">I take it on</button></div>"
        )
    }

    private var handover: HTML {
        let to = Field("to", "Hand over to", isRequired: true, mostCharacters: 200)
        let note = Field("note", "What that person should know", .text(rows: 3))
        return call.form(
            to: AlertsPage.path(of: line, "hand-over"),
            "\(to.html)\(note.html)<div class=\"buttons\"><button type=\"submit\">Hand over</button></div>"
        )
    }

    private var closing: HTML {
        let note = Field("end", "How it ended", .text(rows: 2), isRequired: true)
        return call.form(
            to: AlertsPage.path(of: line, "resolve"),
            "<h3>It is over</h3>\(note.html)<div class=\"buttons\"><button type=\"submit\" class=\"plain\">Close it</button></div>"
        )
    }

    // MARK: What happened

    private var conversation: HTML {
        guard !sheet.messages.isEmpty else { return "<p class=\"quiet\">Nothing was said within a day of it.</p>" }
        let items = sheet.messages.map { message in
            let isCause = message.id == sheet.message
            let mark: HTML = isCause ? " class=\"cause\"" : ""
            let note: HTML = isCause ? "<span class=\"badge warning\">decided the alert</span>" : ""
            let answer: HTML =
                message.answered.map { "<p class=\"answered\"><b>Companion:</b> <bdi>\(masking.words($0))</bdi></p>" }
                ?? "<p class=\"quiet\">No answer was stored.</p>"
            return """
                <li\(mark)><p class="when">\(Figure.time(message.spokenAt)) \(Badge(message.level).html) \(note)</p>\
                <p><b>Patient:</b> <bdi>\(masking.words(message.said))</bdi></p>\(answer)\(turn(message.id))</li>
                """ as HTML
        }
        return "<ol class=\"talk\">\(items)</ol>"
    }

    private func turn(_ message: MessageID) -> HTML {
        let path = ConsolePath("turns", line.patient.description, message.description)
        return "<p><a href=\"\(path)\">The turn in full</a></p>"
    }

    private var history: HTML {
        var table = Table(
            "What happened to the alert",
            columns: ["When", "What", "By which way", "Who made it so", "Note"]
        )
        table.add(Figure.time(line.raisedAt), "raised", "", "", "")
        for event in sheet.history {
            table.add(
                Figure.time(event.at),
                "\(AlertWords.event(event.state))",
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
