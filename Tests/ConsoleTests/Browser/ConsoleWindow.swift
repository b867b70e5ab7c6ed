import Conversation
import Domain
import Foundation
import PostgresStore
import Runtime
import TestSupport
import Testing

@testable import Console

/// A browser in which an administrator is signed in.
struct ConsoleWindow: Sendable {
    let bench: PageBench
    let browser: Browser
    let address: String
    let key: String

    func go(_ path: String) async throws { try await browser.go(to: "\(address)\(path)") }

    func text(_ selector: String) async throws -> String {
        try await browser.run("return document.querySelector(arguments[0])?.textContent ?? ''", .string(selector))
            .string ?? ""
    }

    /// Clicks the first button or link of the main part that says so.
    func press(_ words: String) async throws {
        let found = try await browser.run(
            """
            for (const each of document.querySelectorAll("[data-test]")) delete each.dataset.test;
            const all = [...document.querySelectorAll("main button, main a")];
            const found = all.find((each) => each.textContent.trim() === arguments[0]);
            if (found) found.dataset.test = "chosen";
            return Boolean(found);
            """,
            .string(words)
        )
        guard found == true else { throw ConsoleError.conflict("no button says \(words)") }
        try await browser.click("[data-test=chosen]")
    }

    func shoot(_ name: String) async throws {
        guard let folder = ProcessInfo.processInfo.environment["HEARTH_SCREENSHOTS"] else { return }
        try await browser.shoot(to: "\(folder)/\(name).png")
    }

    /// Holds the open page against what can be told by a script, in every view.
    func inspect(_ name: String) async throws {
        for view in Browser.View.all {
            try await browser.look(view)
            let faults = try await browser.faults()
            #expect(faults == [], "\(name) \(view)")
            try await shoot("\(name)-\(view)")
        }
        try await browser.look(.desktop())
    }

    /// Types over what is selected in the editor and saves it as a draft; the bundle's page is open afterwards.
    func draft(_ words: String) async throws {
        try await browser.press(words)
        try await browser.wait(
            until: "document.querySelector('#checked pre')?.parentElement.textContent.includes('\(words)')"
        )
        try await browser.type("Because \(words)", into: "#field-reason")
        try await press("Save draft")
        try await browser.wait(until: "document.querySelector('h1').textContent.startsWith('Bundle')")
    }

    /// Runs the evals on the bundle that is shown, and comes back to it when they have passed.
    func evaluate() async throws {
        let place = try await browser.address
        try await browser.run("document.getElementById('field-mode').value = 'scripted'")
        try await press("Run all evals")
        let isShown = "document.querySelector('main .badge.good')?.textContent === 'passed'"
        try await browser.wait(until: "!document.querySelector('[data-test]') && \(isShown)")
        try await browser.go(to: place)
    }

    /// Takes the active release back, from the page that shows it.
    func goBack() async throws {
        try await browser.type("Enough.", into: "#field-why_rollback")
        try await press("Roll back")
        try await browser.wait(until: "document.querySelector('.notice')?.textContent.includes('rolled back')")
    }

    /// Moves the focus on, key by key, until it is where an expression is true.
    func tab(until expression: String) async throws {
        for _ in 0..<40 {
            try await browser.press("\u{E004}")
            let script = "const focus = document.activeElement; return Boolean(\(expression));"
            if try await browser.run(script) == true { return }
        }
        throw ConsoleError.conflict("no focus comes where \(expression)")
    }

    /// Raises an alert that somebody has fallen, or is in another danger.
    func raise(
        for name: String = "Rose",
        _ level: Level = .high,
        _ category: Domain.Category = .fall
    ) async throws {
        let scratch = bench.console.scratch
        let patient = Patient(id: PatientID(), tenant: scratch.tenant, name: name, timeZone: .gmt)
        try await scratch.records.store(patient, by: .soon)
        let alert = Alert(level: level, category: category, finding: nil, summary: "{name} fell.", lateBy: 0)
        _ = try await scratch.records.raise(
            RaisedAlert(alert, of: patient.id, tenant: scratch.tenant),
            lease: nil,
            by: .soon
        )
    }

    /// Raises an alert by words of somebody who has a daughter, a condition, a medicine and an address.
    func raise(for name: String, _ level: Level, _ category: Domain.Category, by words: String) async throws {
        let scratch = bench.console.scratch
        let zone = TimeZone(identifier: "America/New_York") ?? .gmt
        let patient = Patient(id: PatientID(), tenant: scratch.tenant, name: name, timeZone: zone)
        try await scratch.records.store(patient, by: .soon)
        try await addDaughter(of: patient)
        let rule = category == .fall ? "falls.fell" : "mind.lost_outside"
        let finding = Finding(level: level, category: category, rule: rule, span: 2..<6)
        let alert = Alert(level: level, category: category, finding: finding, summary: "A danger.", lateBy: 0)
        let now = Date()
        for (index, (text, reply)) in [
            ("Good morning, how are you?", "Good morning! How did you sleep?"),
            ("I slept badly", "I am sorry to hear it."),
        ].enumerated() {
            try await scratch.answer(
                text,
                with: reply,
                of: patient,
                at: now.addingTimeInterval(Double(index - 2) * 240)
            )
        }
        let last = try await scratch.answer(
            words,
            with: "I am telling your family. Stay with me.",
            level: level,
            findings: [finding],
            alerts: [alert],
            of: patient,
            at: now
        )
        try await learn(about: patient, from: last)
    }

    /// Stores a daughter who may be called.
    func addDaughter(of patient: Patient) async throws {
        let daughter = ContactDetails(
            contact: Contact(id: ContactID(), name: "Sarah", relation: "daughter", priority: 1),
            phone: "+1 212 555 0100",
            channels: [.sms],
            hasConsented: true
        )
        let records = bench.console.scratch.records
        try await records.store(daughter, of: patient.id, tenant: patient.tenant, by: .soon)
    }

    /// Stores a condition, a medicine and an address, as said in a message.
    func learn(about patient: Patient, from message: MessageID) async throws {
        let facts: [(Fact.Kind, String)] = [
            (.condition, "She has a pacemaker."), (.medicine, "She takes warfarin, 5 mg, in the evening."),
            (.place, "She lives at 12 Elm Street, Apartment 4, Albany."),
        ]
        try await bench.console.scratch.records.store(
            facts.map { Fact(kind: $0, subject: $1, text: $1, saidBy: .patient, saidAt: Date()) },
            from: message,
            patient: patient.id,
            tenant: patient.tenant,
            by: .soon
        )
    }

    /// Opens the rules again until each of them has been measured.
    func measured() async throws {
        let deadline = Deadline(after: .seconds(20))
        repeat {
            try await go("/console/rules")
            if try await !text("main").contains("are being measured") { return }
        } while !deadline.hasPassed()
        throw ConsoleError.conflict("the rules are never measured")
    }
}
