import Domain
import Foundation
import Runtime
import Synchronization
import TestSupport

@testable import Console

/// A way through the console that counts what a hand does: clicks, and keys that are pressed.
struct Walk: Sendable {
    /// A look of the console.
    struct Look: Sendable, CustomStringConvertible {
        let view: Browser.View
        let language: ConsoleLanguage

        /// Look of every run of the suite.
        static let usual = Look(view: .desktop(), language: .english)

        /// Every size, scheme and language where the environment asks for all, or the ones that it names.
        static var all: [Look] {
            guard let asked = ProcessInfo.processInfo.environment["HEARTH_WALKS"] else { return [usual] }
            let every = Browser.View.all.flatMap { view in
                ConsoleLanguage.allCases.map { Look(view: view, language: $0) }
            }
            let named = every.filter { asked.split(separator: ",").contains(Substring($0.description)) }
            precondition(asked == "all" || !named.isEmpty, "HEARTH_WALKS is \(asked), and a look is \(usual)")
            return asked == "all" ? every : named
        }

        var description: String { "\(view)-\(language.rawValue)" }
    }

    private final class Count: Sendable {
        let steps = Mutex((clicks: 0, keys: 0))
    }

    let name: String
    let window: ConsoleWindow
    let look: Look
    private let count = Count()
    private let began = Instant.now

    /// Begins a walk on the board, signed in.
    init(_ name: String, _ window: ConsoleWindow, _ look: Look) async throws {
        self.name = name
        self.window = window
        self.look = look
        try await window.browser.look(look.view)
        try await window.go("/console/language/\(look.language.rawValue)?then=%2Fconsole%2Fincidents")
        try await window.browser.wait(until: "document.documentElement.lang === '\(look.language.rawValue)'")
    }

    /// Clicks what a selector finds first.
    func click(_ selector: String) async throws {
        count.steps.withLock { $0.clicks += 1 }
        try await window.browser.run(
            "document.querySelector(arguments[0])?.scrollIntoView({ block: 'center' })",
            .string(selector)
        )
        try await window.browser.click(selector)
    }

    /// Types into a field, which takes a click.
    func type(_ text: String, into selector: String) async throws {
        count.steps.withLock { $0 = ($0.clicks + 1, $0.keys + text.count) }
        try await window.browser.type(text, into: selector)
    }

    /// Presses keys wherever the focus is.
    func press(_ keys: String) async throws {
        count.steps.withLock { $0.keys += keys.count }
        try await window.browser.press(keys)
    }

    /// Chooses a value of a list, which takes two clicks.
    func choose(_ value: String, in field: String) async throws {
        count.steps.withLock { $0.clicks += 2 }
        let script = """
            const field = document.getElementById(arguments[0]);
            field.value = arguments[1];
            field.dispatchEvent(new Event("change", { bubbles: true }));
            return field.value === arguments[1];
            """
        guard try await window.browser.run(script, .string(field), .string(value)) == true else {
            throw ConsoleError.conflict("\(field) offers no \(value)")
        }
    }

    func wait(until expression: String) async throws { try await window.browser.wait(until: expression) }

    /// Keeps a picture of a moment, and returns what is wrong with the page there.
    func moment(_ moment: String) async throws -> [String] {
        if let folder = ProcessInfo.processInfo.environment["HEARTH_SCREENSHOTS"] {
            try await window.browser.shoot(to: "\(folder)/walk-\(name)-\(moment)-\(look).png")
        }
        return try await window.browser.faults()
    }

    /// Prints the steps and the seconds; the browser's driver takes part of them.
    func tell() {
        let steps = count.steps.withLock { $0 }
        let seconds = Figure.short(Instant.now.since(began).seconds)
        print("walk \(name) \(look): \(steps.clicks) clicks, \(steps.keys) keys, \(seconds) s")
    }
}
