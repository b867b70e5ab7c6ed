import Conversation
import Domain
import Foundation
import HTTPClient
import PostgresStore
import Prompts
import Runtime
import TestSupport
import Testing

@testable import Console

/// The pages on which operators tune and act, in a real Chromium.
///
/// With `HEARTH_SCREENSHOTS` set to a folder, what is seen is written there.
@Suite(.serialized, .timeLimit(.minutes(3))) struct OperatorJourneyTests {
    private static let attack = "<script>window.hurt = 1</script><img src=x onerror=\"window.hurt = 1\">"

    private func withDesk(_ body: (OperatorDesk) async throws -> Void) async throws {
        try await PageBench.with(model: SpokenModel("Tea sounds lovely. \(Self.attack)")) { bench in
            try await withBrowser { browser in
                let key = try await bench.console.makeOperator(.admin).text
                let desk = OperatorDesk(
                    bench: bench,
                    browser: browser,
                    address: "http://localhost:\(bench.console.port)",
                    key: key
                )
                try await desk.go("/console/prompts")
                try await browser.type(key, into: "#field-key")
                try await browser.click("main button")
                try await browser.wait(until: "document.querySelector('h1').textContent === 'Prompts'")
                try await body(desk)
                #expect(try await browser.complaints() == [])
                #expect(try await browser.run("return window.hurt ?? null") == .null)
            }
        }
    }

    @Test func `a prompt is edited, linted, tried, evaluated, put in force, tried on some and taken back`() async throws
    {
        try await withDesk { desk in
            let digest = PageBench.shipped.digest.prefix(12)
            try await desk.go("/console/prompts/bundles/\(digest)/file?path=companion.prompt")
            try await desk.browser.wait(until: "document.querySelector('#lint')")
            try await desk.browser.type("\n{{nobody}}", into: "#field-text")
            try await desk.browser.wait(until: "document.querySelector('#lint [data-line]')")
            #expect(try await desk.text("#lint").contains("unknown_variable"))
            let marked = try await desk.browser.run(
                """
                const [mark, box] = [document.querySelector(".gutter .error"), document.getElementById("field-text")];
                return [mark?.textContent, String(box.value.split("\\n").length), mark?.title, String(box.wrap)];
                """
            )
            let (numbers, wrap) = (marked.array?.prefix(2).map(\.string), marked.array?.last?.string)
            #expect(numbers?.first == numbers?.last && wrap == "off", "the fault stands at its line: \(marked)")
            try await desk.browser.click("#lint [data-line]")
            let focused = try await desk.browser.run("return document.activeElement.id")
            #expect(focused == "field-text", "a remark leads to its line")

            try await desk.draft("Be calm. \(Self.attack)")
            #expect(try await desk.text("pre.changes").contains("Be calm. \(Self.attack)"))
            try await desk.inspect("bundle")
            let bundle = try await desk.browser.address
            try await desk.press("Compare with the active bundle")
            try await desk.browser.wait(until: "document.querySelector('details.pack summary')")
            try await desk.browser.click("details.pack summary")
            try await desk.browser.click("input[value=fall]")
            try await desk.press("Compare")
            try await desk.browser.wait(
                until: "document.body.textContent.includes('of 1 fixtures have different answers')"
            )
            try await desk.inspect("sides")
            try await desk.browser.go(to: bundle)
            try await desk.evaluate()
            try await desk.browser.type("It has passed.", into: "#field-why_promote")
            try await desk.press("Promote")
            try await desk.browser.wait(
                until: "document.querySelector('.notice')?.textContent.includes('promoted')"
            )
            let session = try await desk.bench.console.session(.admin)
            let calmer = try desk.bench.text("routing.yaml") + "# calmer\n"
            try await desk.go(try await desk.bench.draft("routing.yaml", calmer, session: session))
            try await desk.evaluate()
            try await desk.browser.type("Some first.", into: "#field-why_canary")
            try await desk.press("Start a canary")
            try await desk.browser.wait(
                until: "document.querySelector('main').textContent.includes('0 of 50 patients')"
            )
            try await desk.inspect("canary")
            try await desk.go("/console/evals/matrix")
            try await desk.browser.wait(until: "document.querySelector('table.matrix')")
            try await desk.inspect("matrix")
            try await desk.go("/console/prompts")
            try await desk.goBack()
            let log = try await desk.bench.console.scratch.records.releases(in: "test", limit: 9, by: .soon)
            #expect(log.map(\.action) == [.rollback, .canary, .promote])
            try await desk.go("/console/prompts/history")
            try await desk.inspect("history")
            try await desk.go("/console/evals")
            try await desk.inspect("evals")
            try await desk.press("Compare")
            try await desk.browser.wait(until: "document.querySelector('h1').textContent.includes('against')")
            try await desk.inspect("comparison")
        }
    }

    @Test func `a turn is replayed on a bundle, and both answers are seen beside each other`() async throws {
        try await withDesk { desk in
            let scratch = desk.bench.console.scratch
            let said = "Which tea goes with lemon cake? \(Self.attack)"
            let message = try await scratch.answer(said, with: "Tea sounds nice.", shownTo: desk.bench.feed)
            try await desk.go("/console/turns/\(scratch.patient.id)/\(message)")
            try await desk.tab(until: "focus.id === 'field-bundle'")
            try await desk.tab(until: "focus.textContent === 'Replay'")
            try await desk.browser.press("\u{E007}")
            try await desk.browser.wait(until: "document.querySelector('h1').textContent === 'Replayed turn'")
            #expect(try await desk.text("main ins").contains("lovely"))
            #expect(try await desk.text(".said").contains(said))
            try await desk.inspect("replay")
        }
    }

    @Test func `every page is readable, named and within its screen, wide and narrow, light and dark`() async throws {
        try await withDesk { desk in
            let digest = PageBench.shipped.digest.prefix(12)
            try await desk.measured()
            try await desk.browser.click("details.pack summary")
            try await desk.inspect("rules")
            try await desk.browser.click("details.pack a")
            try await desk.browser.wait(until: "document.querySelector('main h2')")
            try await desk.inspect("rule")
            try await desk.go("/console/rules")
            try await desk.browser.type("I fell \(Self.attack) and I can't get up", into: "#field-sentence")
            try await desk.press("Test")
            try await desk.browser.wait(until: "document.querySelector('mark')")
            try await desk.inspect("sentence")
            for (name, path) in [
                ("prompts", "prompts"),
                ("editor", "prompts/bundles/\(digest)/file?path=companion.prompt"),
                ("chooser", "prompts/bundles/\(digest)/try"),
            ] {
                try await desk.go("/console/\(path)")
                try await desk.browser.wait(
                    until: "!document.querySelector('#checked') || document.querySelector('#lint')"
                )
                try await desk.inspect(name)
            }
            try await desk.go("/console/language/es?then=%2Fconsole%2Fprompts")
            try await desk.inspect("es-prompts")
            try await desk.go("/console/prompts/bundles/\(digest)/file?path=companion.prompt")
            try await desk.browser.wait(until: "document.querySelector('#lint')")
            try await desk.inspect("es-editor")
            try await desk.go("/console/language/en")
        }
    }

    @Test func `a draft is saved and an alert is taken on by the keyboard alone`() async throws {
        try await withDesk { desk in
            let enter = "\u{E007}"
            try await desk.raise()
            let digest = PageBench.shipped.digest.prefix(12)
            try await desk.go("/console/prompts/bundles/\(digest)/file?path=routing.yaml")
            try await desk.browser.wait(until: "document.querySelector('#lint')")
            try await desk.tab(until: "focus.id === 'field-text'")
            try await desk.browser.press("# calmer" + enter)
            try await desk.tab(until: "focus.id === 'field-reason'")
            try await desk.browser.press("By hand")
            try await desk.tab(until: "focus.textContent === 'Save draft'")
            let outline = try await desk.browser.run("return getComputedStyle(document.activeElement).outlineStyle")
            #expect(outline == "solid", "the focus is seen")
            try await desk.browser.press(enter)
            try await desk.browser.wait(until: "document.querySelector('h1').textContent.startsWith('Bundle')")
            try await desk.go("/console/incidents")
            try await desk.tab(until: "focus.closest('article h3')")
            try await desk.browser.press(enter)
            try await desk.browser.wait(until: "document.querySelector('#field-note')")
            try await desk.tab(until: "focus.id === 'field-note'")
            try await desk.browser.press("Calling her")
            try await desk.tab(until: "focus.textContent === 'Acknowledge'")
            try await desk.browser.press(enter)
            try await desk.browser.wait(until: "document.querySelector('article.held')")
        }
    }
}
