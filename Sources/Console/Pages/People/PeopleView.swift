import Domain
import Foundation

/// The list of patients with a search, and when each was last heard.
struct PeopleView: Sendable {
    let page: Page<PatientEntry>
    let presence: [PatientID: PatientPresence]
    let sought: String
    let masking: Masking
    let date: Date

    var html: HTML { "\(form)\(list)\(more)" }

    private var form: HTML? {
        guard !masking.isOn else { return nil }
        return """
            <form method="get" action="\(ConsolePath.people)" class="filters buttons" role="search">\
            \(Field("q", "Name or id", value: sought, mostCharacters: 100).html)<button type="submit">Search</button></form>
            """
    }

    private var list: HTML {
        guard !page.items.isEmpty else {
            return sought.isEmpty
                ? """
                <div class="empty"><b>No patients yet</b>The customer's backend adds them with \
                <code>POST /api/v1/patients</code>, or you with <code>hearth enrol patient</code>.</div>
                """
                : "<div class=\"empty\"><b>Nobody found</b>No name or id contains “\(sought)”. Try a part of the name.</div>"
        }
        var table = Table(
            "Patients",
            columns: ["Name", "Open alerts", "Last message", "Time there", "Language"],
            isTitled: true
        )
        for entry in page.items {
            let known = presence[entry.patient.id]
            let open = known?.openAlerts ?? 0
            let closed: HTML = entry.closedAt == nil ? "" : " <span class=\"quiet\">closed</span>"
            table.add(
                """
                <a href="\(ConsolePath.patient(entry.patient.id))"><bdi>\
                \(masking.name(entry.patient.name, of: entry.patient.id))</bdi></a>\(closed)
                """,
                open > 0
                    ? "<a href=\"\(ConsolePath.incident(of: entry.patient.id))\">\(Badge("\(open) open", .danger).html)</a>"
                    : "",
                known?.lastHeardAt.map(Figure.time) ?? "<span class=\"quiet\">never</span>",
                Figure.wall(date, in: entry.patient.timeZone),
                "\(LanguageName.of(entry.patient.language))"
            )
        }
        return table.html()
    }

    private var more: HTML? {
        page.next.map { cursor in
            let path = ConsolePath("people", query: ["q": sought, "after": cursor.description])
            return "<p class=\"buttons\"><a class=\"button plain\" href=\"\(path)\">More people</a></p>"
        }
    }
}
