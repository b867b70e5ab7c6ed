import Conversation
import Domain
import Foundation
import PostgresStore
import Runtime
import TestSupport
import Testing

@testable import Console

/// A nurse's shift in a real Chromium: the board, an incident, a colleague, a lost session.
///
/// With `HEARTH_SCREENSHOTS` set to a folder, what is seen is written there.
@Suite(.serialized, .timeLimit(.minutes(4))) struct IncidentJourneyTests {
    private static let attack = "<script>window.hurt = 1</script>\u{202E}<img src=x onerror=\"window.hurt = 1\">"

    private func withDesk(_ body: (OperatorDesk) async throws -> Void) async throws {
        try await PageBench.with { bench in
            try await withBrowser { browser in
                let key = try await bench.console.makeOperator(.operator).text
                let desk = OperatorDesk(
                    bench: bench,
                    browser: browser,
                    address: "http://localhost:\(bench.console.port)",
                    key: key
                )
                try await desk.go("/console")
                try await browser.type(key, into: "#field-key")
                try await browser.click("main button")
                try await browser.wait(until: "document.querySelector('#board')")
                try await body(desk)
                #expect(try await browser.run("return window.hurt ?? null") == .null)
            }
        }
    }

    /// A patient in New York with a daughter, a condition, a medicine, small talk, and then a danger.
    private func fall(_ desk: OperatorDesk) async throws {
        let scratch = desk.bench.console.scratch
        let zone = try #require(TimeZone(identifier: "America/New_York"))
        let patient = Patient(id: scratch.patient.id, tenant: scratch.tenant, name: "Margaret O'Brien", timeZone: zone)
        try await scratch.records.store(patient, by: .soon)
        for (name, relation, phone) in [
            ("Sarah", "daughter", "+1 212 555 0100"), ("Dr. Patel", "doctor", "+12125550177"),
        ] {
            let contact = ContactDetails(
                contact: Contact(id: ContactID(), name: name, relation: relation, priority: 1),
                phone: phone,
                channels: [.sms],
                hasConsented: true
            )
            try await scratch.records.store(contact, of: patient.id, tenant: scratch.tenant, by: .soon)
        }
        var last = MessageID()
        for words in ["Good morning, how are you?", "My neighbour brought me soup", "I slept badly"] {
            last = try await scratch.answer(words, with: "How lovely to hear from you.", shownTo: desk.bench.feed)
        }
        let facts: [(Fact.Kind, String)] = [
            (.condition, "She has a pacemaker."), (.medicine, "She takes warfarin, 5 mg, in the evening."),
            (.place, "She lives at 12 Elm Street, Apartment 4, Albany."), (.allergy, "She is allergic to penicillin."),
        ]
        try await scratch.records.store(
            facts.map { Fact(kind: $0, subject: $1, text: $1, saidBy: .patient, saidAt: Date()) },
            from: last,
            patient: patient.id,
            tenant: scratch.tenant,
            by: .soon
        )
        let conversation = ConversationID()
        for (level, category) in [(Level.critical, Domain.Category.fall), (.high, .cardiac)] {
            let alert = Alert(level: level, category: category, finding: nil, summary: "A danger.", lateBy: 0)
            let words = "I fell in the kitchen and my chest hurts when I breathe"
            let turn = scratch.turn(words)
            let decision = Decision(level: level, alerts: [alert], reportsScam: false, state: ConversationState())
            let recorded = RecordedTurn(
                turn: turn,
                conversation: conversation,
                screening: Screening(),
                decision: decision,
                reminderAnswer: nil
            )
            try await scratch.records.record(recorded, by: .soon)
        }
    }

    @Test func `a shift: the board is read, an emergency is acknowledged, undone, noted and resolved`() async throws {
        try await withDesk { desk in
            try await desk.inspect("board-empty")
            try await fall(desk)
            try await desk.raise(for: "Rosa \(Self.attack)", .high, .wandering)
            try await desk.raise(for: "Joan", .medium, .nutrition)
            try await desk.raise(for: "Grace", .low, .distress)
            try await desk.browser.wait(until: "document.querySelectorAll('article').length === 4")
            #expect(try await desk.text("#news").hasPrefix("New: "))
            try await desk.browser.wait(until: "document.title.startsWith('(3) ')", for: .seconds(15))
            #expect(try await desk.text("article .what") == "Fall, Cardiac")
            #expect(try await desk.text("[data-tally]") == "3")
            try await desk.inspect("board")
            let bytes = try await desk.browser.run("return document.documentElement.outerHTML.length").integer ?? .max
            #expect(bytes < 150_000)
            try await desk.press("Acknowledge")
            try await desk.browser.wait(until: "document.querySelector('.undo button')")
            #expect(try await desk.text("article.held h3") == "Margaret O'Brien")
            try await desk.inspect("board-acknowledged")
            try await desk.press("Undo")
            try await desk.browser.wait(until: "document.querySelector('.notice')?.textContent.includes('Taken back')")
            try await desk.browser.click("article.critical h3 a")
            try await desk.browser.wait(until: "document.querySelector('#field-note')")
            #expect(try await desk.text("li.cause").contains("chest hurts"))
            let link = "return document.querySelector('.calls a').getAttribute('href')"
            #expect(try await desk.browser.run(link) == "tel:+12125550100")
            try await desk.inspect("incident")
            try await desk.browser.type("Calling her", into: "#field-note")
            try await desk.press("Acknowledge")
            try await desk.browser.wait(until: "document.querySelector('article.held h3 a')")
            try await desk.browser.click("article.held h3 a")
            try await desk.browser.wait(until: "document.querySelector('#field-outcome')")
            try await desk.inspect("incident-held")
            try await desk.browser.run("document.getElementById('field-outcome').value = 'true_alarm'")
            try await desk.browser.type("Ambulance came.", into: "#field-end")
            try await desk.press("Resolve")
            try await desk.browser.wait(until: "document.querySelector('.notice')?.textContent.includes('resolved')")
            try await desk.go("/console/incidents/closed")
            #expect(try await desk.text("main").contains("Ambulance came."))
            try await desk.inspect("closed")
            try await desk.go("/console/incidents/wall")
            try await desk.inspect("wall")
            #expect(try await desk.browser.complaints() == [])
        }
    }

    @Test func `a session that ends is loud, and the cards stay, greyed`() async throws {
        try await withDesk { desk in
            try await desk.raise()
            try await desk.browser.wait(until: "document.querySelector('article')")
            try await desk.bench.console.scratch.database.run("DELETE FROM hearth.operator_sessions")
            try await desk.browser.wait(
                until: "document.querySelector('[data-alarm]').textContent.includes('You are signed out')"
            )
            try await desk.browser.wait(until: "document.querySelector('#board.stale article')")
            #expect(try await desk.browser.run("return document.title").string?.hasPrefix("⚠") == true)
            #expect(try await desk.text("#news").contains("signed out"), "said aloud")
            try await desk.inspect("lost-session")
        }
    }

    @Test func `one key each searches, moves, acknowledges and explains, and they can be switched off`() async throws {
        try await withDesk { desk in
            try await desk.raise(for: "Rose")
            try await desk.raise(for: "Joan")
            try await desk.go("/console/incidents")
            func focus() async throws -> String {
                try await desk.browser.run("return document.activeElement.textContent.trim()").string ?? ""
            }
            try await desk.browser.press("jjk")
            #expect(try await focus() == "Rose")
            try await desk.browser.press("j")
            #expect(try await focus() == "Joan")
            try await desk.browser.press("?")
            try await desk.browser.wait(until: "document.querySelector('dialog[open]')")
            try await desk.inspect("shortcuts")
            try await desk.browser.click("dialog button:last-child")
            try await desk.browser.press("k")
            #expect(try await focus() != "Rose", "they are off")
            try await desk.browser.press("?")
            try await desk.browser.click("dialog button")
            try await desk.browser.press("jja")
            try await desk.browser.wait(until: "document.querySelector('.undo')")
            #expect(try await desk.text("article.held h3") == "Joan")
            try await desk.browser.press("/")
            try await desk.browser.wait(until: "location.pathname === '/console/people'")
            try await desk.browser.press("/ja")
            #expect(
                try await desk.browser.run("return document.getElementById('field-q').value") == "ja",
                "typed, not obeyed"
            )
            #expect(try await desk.browser.complaints() == [])
        }
    }

    @Test func `a patient is found by name and read on a phone`() async throws {
        try await withDesk { desk in
            try await fall(desk)
            try await desk.go("/console/people")
            try await desk.inspect("people")
            try await desk.browser.type("marg", into: "#field-q")
            try await desk.press("Search")
            try await desk.browser.wait(until: "location.search === '?q=marg'")
            try await desk.browser.click("tbody th a")
            try await desk.browser.wait(until: "document.querySelector('h1').textContent === \"Margaret O'Brien\"")
            try await desk.inspect("patient")
            try await desk.press("Whole conversation")
            try await desk.browser.wait(until: "document.querySelector('h2.day')")
            try await desk.inspect("conversation")
            try await desk.browser.type("soup", into: "#field-q")
            try await desk.press("Show")
            try await desk.browser.wait(until: "document.querySelector('mark')?.textContent === 'soup'")
            #expect(try await desk.browser.run("return document.querySelectorAll('ol.talk li').length") == 1)
            try await desk.go("/console/people?q=nobody")
            try await desk.inspect("people-empty")
            #expect(try await desk.browser.complaints() == [])
        }
    }
}
