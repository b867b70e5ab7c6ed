import Conversation
import Domain
import Foundation
import Runtime
import TestSupport
import Testing

@testable import Console

/// A live page under two hundred turns a second, in a real Chromium.
@Suite(.serialized, .timeLimit(.minutes(2))) struct LiveLoadTests {
    private static let rate = 200
    private static let seconds = 5

    /// Shows turns to a feed at a steady rate, each on its own time, so that one that is late delays no other.
    private func show(_ count: Int, to feed: LiveFeed, of bench: ConsoleBench) async throws {
        let one = LiveFeed(Metrics())
        let message = try await bench.scratch.answer("Good morning, how are you today?", shownTo: one)
        let turn = try #require(one.turn(message, tenant: bench.scratch.tenant))
        let begin = Instant.now
        for number in 0..<count {
            feed.observe(turn)
            try await SystemTime().sleep(until: begin + .milliseconds(Int64(number + 1) * 1_000 / Int64(Self.rate)))
        }
    }

    @Test func `of two hundred turns a second a page shows a bounded table, and counts every one that it left out`()
        async throws
    {
        try await PageBench.with { bench in
            try await withBrowser { browser in
                let key = try await bench.console.makeOperator(.operator)
                try await browser.go(to: "http://localhost:\(bench.console.port)/console/live")
                try await browser.type(key.text, into: "#field-key")
                try await browser.click("main button[type=submit]")
                try await browser.wait(
                    until: "document.querySelector('[data-live-state]')?.textContent.startsWith('Live')"
                )
                try await browser.run(
                    """
                    window.busy = 0;
                    new PerformanceObserver((list) => {
                      for (const task of list.getEntries()) window.busy += task.duration;
                    }).observe({ type: "longtask" });
                    """
                )
                try await show(Self.rate * Self.seconds, to: bench.feed, of: bench.console)
                try await browser.wait(
                    until: """
                        Number(/, (\\d+) dropped/.exec(document.querySelector('[data-live-state]').textContent)?.[1])
                          + Number(/(\\d+) turns since/.exec(document.querySelector('[data-live-state]').textContent)?.[1])
                          === \(Self.rate * Self.seconds)
                        """
                )
                let rows = try await browser.run("return document.querySelector('table.live').tBodies[0].rows.length")
                #expect((1...200).contains(rows.integer ?? 0), "the table is bounded")
                let busy = try await browser.run("return Math.round(window.busy)").integer ?? .max
                // Told and not judged: on a busy machine it says more of the machine than of the page.
                print("tasks over 50 ms held the tab for \(busy) ms of \(Self.seconds * 1_000)")
                #expect(try await browser.complaints() == [])
            }
        }
    }
}
