package import Conversation
import Runtime

/// One turn in full: what went in, what was found, what was asked, what came back and what became of it.
package struct TurnPage: ConsolePage {
    package let title: String? = nil
    package let place = "turns"

    private let reads: any TurnReads
    private let feed: LiveFeed

    /// Makes the page over the record, and over what this replica still has of its last turns.
    package init(_ reads: any TurnReads, _ feed: LiveFeed) {
        self.reads = reads
        self.feed = feed
    }

    package var routes: [ConsoleRoute] {
        [
            .get("/turns/{patient}/{message}", action: "turn_read") { call async throws(ConsoleRefusal) in
                try await page(call)
            }
        ]
    }

    private func page(_ call: ConsoleCall) async throws(ConsoleRefusal) -> ConsoleAnswer {
        let message = try call.id("message", MessageID.self)
        let patient = try call.id("patient", PatientID.self)
        let found: TurnRecord?
        do throws(RecordsError) {
            found = try await reads.turn(message, of: patient, tenant: call.tenant, by: call.deadline)
        } catch {
            throw ConsoleRefusal(error)
        }
        guard let found else { throw .notFound }
        let kept = feed.turn(message, tenant: call.tenant)
        let sheet = TurnSheet(found, prompt: kept?.prompt, elapsed: kept?.elapsed, call.masking)
        return .page(title: "A turn", sheet.html)
    }
}
