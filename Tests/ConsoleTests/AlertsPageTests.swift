import Conversation
import Cryptography
import Domain
import Foundation
import HTTPClient
import PostgresStore
import Runtime
import TestSupport
import Testing

@testable import Console

/// The alerts' pages over real HTTP and a real database.
@Suite(.timeLimit(.minutes(2))) struct AlertsPageTests {
    private func withAlerts(_ body: (ConsoleBench) async throws -> Void) async throws {
        try await withConsole(pages: { scratch, _ in [AlertsPage(scratch.records)] }, body)
    }

    private func raise(_ bench: ConsoleBench, of patient: Patient? = nil) async throws -> String {
        let patient = patient ?? bench.scratch.patient
        let alert = Alert(level: .high, category: .fall, finding: nil, summary: "{name} fell.", lateBy: 0)
        let raised = RaisedAlert(alert, of: patient.id, tenant: patient.tenant)
        _ = try await bench.scratch.records.raise(raised, lease: nil, by: .soon)
        return "/console/alerts/\(patient.id)/\(alert.id)"
    }

    private func say(_ text: String, _ bench: ConsoleBench) async throws {
        let turn = bench.scratch.turn(text)
        let decision = Decision(
            level: .none,
            alerts: [],
            reportsScam: false,
            state: ConversationState()
        )
        let recorded = RecordedTurn(
            turn: turn,
            conversation: ConversationID(),
            screening: Screening(),
            decision: decision,
            reminderAnswer: nil
        )
        try await bench.scratch.records.record(recorded, by: .soon)
    }

    @Test func `an operator takes an alert on, hands it over and closes it, and all of it is kept`() async throws {
        try await withAlerts { bench in
            let place = try await raise(bench)
            let session = try await bench.session(.operator)
            let queue = try await bench.send(.get, "/console/alerts", session: session)
            #expect(
                queue.text.contains("Maggie") && queue.text.contains(place) && queue.text.contains("role=\"timer\"")
            )
            let sheet = try await bench.send(.get, place, session: session)
            let token = try #require(sheet.formToken)
            let taking: KeyValuePairs = ["form_token": token, "note": "Calling her."]
            #expect(try await bench.send(.post, place + "/acknowledge", session: session, form: taking).status == 303)
            let again = try await bench.send(.post, place + "/acknowledge", session: session, form: taking)
            #expect(again.status == 409 && again.text.contains("was acknowledged already"))
            let nobody: KeyValuePairs = ["form_token": token, "note": "x"]
            #expect(try await bench.send(.post, place + "/hand-over", session: session, form: nobody).status == 409)
            let handing: KeyValuePairs = ["form_token": token, "to": "Ben", "note": "No answer yet."]
            #expect(try await bench.send(.post, place + "/hand-over", session: session, form: handing).status == 303)
            let taken = try await bench.send(.get, place, session: session)
            #expect(taken.text.contains("No answer yet.") && taken.text.contains("to Ben"))
            #expect(taken.text.contains("operator Ana"))
            let ending: KeyValuePairs = ["form_token": token, "end": "She is well."]
            #expect(try await bench.send(.post, place + "/resolve", session: session, form: ending).status == 303)
            let after = try await bench.send(.get, "/console/alerts", session: session)
            #expect(!after.text.contains(place))
            let trail = try await bench.audit()
            for action in ["alert_look", "alert_acknowledge", "alert_hand_over", "alert_resolve"] {
                #expect(trail.contains(action), "\(action)")
            }
        }
    }

    @Test func `a viewer reads neither names nor words and changes nothing`() async throws {
        try await withAlerts { bench in
            let place = try await raise(bench)
            try await say("My knee hurts", bench)
            let session = try await bench.session(.viewer)
            for path in ["/console/alerts", "/console/alerts/queue", place] {
                let page = try await bench.send(.get, path, session: session)
                #expect(page.status == 200, "\(path)")
                #expect(!page.text.contains("Maggie") && !page.text.contains("knee"), "\(path)")
                #expect(!page.text.contains(place + "/"), "no control that would be refused")
            }
            let token = try #require(try await bench.send(.get, "/console/alerts", session: session).formToken)
            for action in ["acknowledge", "hand-over", "resolve"] {
                let form: KeyValuePairs = ["form_token": token, "note": "x", "to": "y", "end": "z"]
                let answer = try await bench.send(.post, "\(place)/\(action)", session: session, form: form)
                #expect(answer.status == 403, "\(action)")
            }
            let states = try await bench.scratch.database.run("SELECT state FROM hearth.alerts")
            #expect(states == [["recorded"]])
        }
    }

    @Test func `another tenant's alert is not there, whatever is done with it`() async throws {
        try await withAlerts { bench in
            let place = try await raise(bench)
            let other = TenantID()
            try await bench.scratch.records.openTenant(other, name: "Other", by: .soon)
            let session = try await bench.session(.admin, tenant: other)
            let queue = try await bench.send(.get, "/console/alerts", session: session)
            #expect(!queue.text.contains("Maggie"))
            #expect(try await bench.send(.get, place, session: session).status == 404)
            for action in ["acknowledge", "hand-over", "resolve"] {
                let form: KeyValuePairs = ["form_token": queue.formToken ?? "", "note": "x", "to": "y", "end": "z"]
                let answer = try await bench.send(.post, "\(place)/\(action)", session: session, form: form)
                #expect(answer.status == 404, "\(action)")
            }
            let own = try await bench.session(.operator)
            let wrong = place.replacing(bench.scratch.patient.id.description, with: PatientID().description)
            #expect(try await bench.send(.get, wrong, session: own).status == 404)
            #expect(try await bench.send(.get, "/console/alerts/x/y", session: own).status == 404)
        }
    }

    @Test(arguments: [
        "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "</title></p><svg onload=alert(1)>",
        "javascript:alert(1)//", "' autofocus onfocus='alert(1)",
    ])
    func `script in a name, a message or a note is shown as text`(text: String) async throws {
        try await withAlerts { bench in
            let patient = Patient(id: PatientID(), tenant: bench.scratch.tenant, name: text, timeZone: .gmt)
            try await bench.scratch.records.store(patient, by: .soon)
            let place = try await raise(bench, of: patient)
            try await say(text, bench)
            let session = try await bench.session(.operator)
            let token = try #require(try await bench.send(.get, place, session: session).formToken)
            let form: KeyValuePairs = ["form_token": token, "note": text]
            _ = try await bench.send(.post, place + "/acknowledge", session: session, form: form)
            let handing: KeyValuePairs = ["form_token": token, "to": text, "note": text]
            _ = try await bench.send(.post, place + "/hand-over", session: session, form: handing)
            for path in ["/console/alerts", place] {
                let page = try await bench.send(.get, path, session: session).text
                #expect(page.contains(HTML.escaped(text)), "\(path)")
                for sign in ["<script>alert", "<img", "<svg onload", "onfocus='", "href=\"javascript"] {
                    #expect(!page.contains(sign), "\(path): \(sign)")
                }
            }
        }
    }
}
