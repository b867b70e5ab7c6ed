import Conversation
import Domain
import Foundation
import HTTPClient
import PostgresStore
import Runtime
import TestSupport
import Testing

@testable import Console

/// The pages of people over real HTTP and a real database.
@Suite(.timeLimit(.minutes(2))) struct PeoplePageTests {
    private func withPeople(_ body: (ConsoleBench) async throws -> Void) async throws {
        try await withConsole(pages: { scratch, _ in [PeoplePage(scratch.records)] }, body)
    }

    private func place(_ bench: ConsoleBench, _ more: String = "") -> String {
        "/console/people/\(bench.scratch.patient.id)\(more)"
    }

    private func say(
        _ words: String,
        daysAgo: Double = 0,
        in conversation: ConversationID = ConversationID(),
        _ bench: ConsoleBench
    ) async throws {
        let turn = bench.scratch.turn(words, spokenAt: Date(timeIntervalSinceNow: -daysAgo * 86_400))
        let recorded = RecordedTurn(
            turn: turn,
            conversation: conversation,
            screening: Screening(),
            decision: Decision(level: .none, alerts: [], reportsScam: false, state: ConversationState()),
            reminderAnswer: nil
        )
        try await bench.scratch.records.record(recorded, by: .soon)
    }

    @Test func `a patient is found by a part of the name or the id, and each look is in the audit`() async throws {
        try await withPeople { bench in
            let session = try await bench.session(.operator)
            #expect(try await bench.send(.get, "/console/people?q=aggi", session: session).text.contains("Maggie"))
            let absent = try await bench.send(.get, "/console/people?q=Zoe", session: session)
            #expect(absent.text.contains("Nobody found") && !absent.text.contains("Maggie"))
            let id = bench.scratch.patient.id
            let byID = try await bench.send(.get, "/console/people?q=\(id)", session: session)
            #expect(byID.status == 303 && byID.headers["location"] == place(bench))
            let unknown = try await bench.send(.get, "/console/people?q=\(PatientID())", session: session)
            #expect(unknown.text.contains("Nobody found"))
            #expect(try await bench.send(.get, place(bench), session: session).status == 200)
            #expect(try await bench.send(.get, place(bench, "/conversation"), session: session).status == 200)
            let trail = try await bench.audit()
            #expect(trail.contains("patient_look") && trail.contains("conversation_look"))
        }
    }

    @Test func `a conversation is searched for words and read up to a day`() async throws {
        try await withPeople { bench in
            let conversation = ConversationID()
            for (days, words) in [(3, "The ladder is in the shed"), (2, "I like soup"), (0, "Good morning")] {
                try await say(words, daysAgo: Double(days), in: conversation, bench)
            }
            let session = try await bench.session(.operator)
            func read(_ query: String) async throws -> String {
                try await bench.send(.get, place(bench, "/conversation?\(query)"), session: session).text
            }
            let whole = try await read("")
            let order = ["ladder", "soup", "Good morning"].compactMap { whole.range(of: $0)?.lowerBound }
            #expect(order.count == 3 && order == order.sorted(), "in the order in which it was said")
            let found = try await read("q=LADDER")
            #expect(found.contains("<mark title=\"found\">ladder</mark>") && !found.contains("soup"))
            #expect(try await read("q=zebra").contains("was not found"))
            let day = Date(timeIntervalSinceNow: -2 * 86_400).formatted(.iso8601.year().month().day())
            let until = try await read("day=\(day)")
            #expect(until.contains("soup") && !until.contains("Good morning"))
            #expect(try await read("day=2026-99-99").contains("Good morning"), "a day that is none is left out")
        }
    }

    @Test func `only an administrator exports, and the file has every table's rows`() async throws {
        try await withPeople { bench in
            try await say("Good morning", bench)
            let admin = try await bench.session(.admin)
            let token = try #require(try await bench.send(.get, place(bench), session: admin).formToken)
            let form: KeyValuePairs = ["form_token": token]
            let file = try await bench.send(.post, place(bench, "/export"), session: admin, form: form)
            #expect(
                file.status == 200 && file.text.contains("{\"table\":\"messages\"")
                    && file.text.contains("Good morning")
            )
            let session = try await bench.session(.operator)
            let page = try await bench.send(.get, place(bench), session: session)
            #expect(!page.text.contains("Export everything"))
            let own: KeyValuePairs = ["form_token": try #require(page.formToken)]
            #expect(try await bench.send(.post, place(bench, "/export"), session: session, form: own).status == 403)
        }
    }

    @Test func `a viewer reads neither names nor words, and another tenant finds nobody`() async throws {
        try await withPeople { bench in
            try await say("My knee hurts", bench)
            let viewer = try await bench.session(.viewer)
            for path in [
                "/console/people", "/console/people?q=Maggie", place(bench), place(bench, "/conversation?q=knee"),
            ] {
                let page = try await bench.send(.get, path, session: viewer)
                #expect(page.status == 200 && !page.text.contains("Maggie") && !page.text.contains("knee"), "\(path)")
            }
            let other = TenantID()
            try await bench.scratch.records.openTenant(other, name: "Other", by: .soon)
            let session = try await bench.session(.admin, tenant: other)
            let list = try await bench.send(.get, "/console/people", session: session)
            #expect(list.text.contains("No patients yet"))
            for path in ["", "/conversation"] {
                #expect(try await bench.send(.get, place(bench, path), session: session).status == 404, "\(path)")
            }
        }
    }
}
