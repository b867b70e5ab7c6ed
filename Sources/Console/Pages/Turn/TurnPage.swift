package import Conversation
import HTTPServing
import Runtime

/// One turn in full: what went in, what was found, what was asked, what came back and what became of it.
package struct TurnPage: ConsolePage {
    package let title: String? = nil
    package let place = "turns"

    private let reads: any TurnReads
    private let feed: LiveFeed
    private let fixtures: any FixtureMaking

    /// Makes the page over the record, and over what this replica still has of its last turns.
    package init(_ reads: any TurnReads, _ feed: LiveFeed, _ fixtures: any FixtureMaking) {
        self.reads = reads
        self.feed = feed
        self.fixtures = fixtures
    }

    package var routes: [ConsoleRoute] {
        [
            .get("/turns/{patient}/{message}", action: "turn_read") { call async throws(ConsoleRefusal) in
                try await page(call)
            },
            .post("/turns/{patient}/{message}/fixture", .operator, action: "fixture_made") {
                call async throws(ConsoleRefusal) in
                let suite = try await fixtures.suite(of: try await turn(call), by: call.deadline)
                let name = "production-\((call.request.parameters["message"] ?? "").prefix(8)).yaml"
                return .file(name: name, mediaType: "application/yaml", suite)
            },
        ]
    }

    private func page(_ call: ConsoleCall) async throws(ConsoleRefusal) -> ConsoleAnswer {
        let found = try await turn(call)
        let kept = feed.turn(found.message.id, tenant: call.tenant)
        let sheet = TurnSheet(found, prompt: kept?.prompt, elapsed: kept?.elapsed, call.masking)
        return .page(title: "A turn", "\(sheet.html)\(actions(call, found))")
    }

    private func turn(_ call: ConsoleCall) async throws(ConsoleRefusal) -> TurnRecord {
        let message = try call.id("message", MessageID.self)
        let patient = try call.id("patient", PatientID.self)
        let found: TurnRecord?
        do throws(RecordsError) {
            found = try await reads.turn(message, of: patient, tenant: call.tenant, by: call.deadline)
        } catch {
            throw ConsoleRefusal(error)
        }
        guard let found else { throw .notFound }
        return found
    }

    /// What can be done with the turn; nothing for a viewer.
    private func actions(_ call: ConsoleCall, _ turn: TurnRecord) -> HTML? {
        guard call.may(.operator) else { return nil }
        let message = turn.message.id.description
        let path = ConsolePath("turns", turn.patient.id.description, message, "fixture")
        return """
            <section><h2>Make a fixture of it</h2><p>A test case with other names, numbers and dates. Read it before you add it \
            to a suite: it is skipped until you take <code>skip</code> away.</p>\
            \(call.form(to: path, "<button type=\"submit\">Download the fixture</button>"))</section>
            """
    }
}
