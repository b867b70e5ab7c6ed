import Domain
import Foundation
import Runtime
import Testing

@testable import Console

/// The bars of a turn's stages, with the waits between them.
@Suite struct TurnWaterfallTests {
    private func span(
        _ stage: String,
        _ start: Int,
        _ length: Int,
        _ outcome: Trace.Outcome = .ok
    ) -> Trace.Span {
        Trace.Span(
            stage: stage,
            start: .milliseconds(start),
            duration: .milliseconds(length),
            outcome: outcome,
            note: ""
        )
    }

    @Test func `a wait for a model is a bar of its own, and the sentence names it`() {
        let spans = [
            span("admit", 0, 2), span("recall", 2, 39), span("first", 42, 0, .refused), span("retry", 4_000, 604),
        ]
        let waterfall = TurnWaterfall(spans, elapsed: .milliseconds(4_610), isWhole: false)
        let wait = waterfall.bars.first { $0.stage == "wait" }
        #expect(wait?.name == "wait for a model" && wait?.start == .milliseconds(42))
        #expect(wait?.duration == .milliseconds(3_958))
        #expect(waterfall.summary == "4.6 s of 5 s; most of it: wait for a model, 4 s.")
        #expect(waterfall.bars.map(\.stage) == ["admit", "recall", "wait", "first", "retry"])
    }

    @Test func `stages beside each other leave no wait, and a short gap is none`() {
        let spans = [span("remember", 0, 30), span("recall", 0, 44), span("decide", 50, 1), span("commit", 51, 40)]
        let waterfall = TurnWaterfall(spans, elapsed: .milliseconds(95), isWhole: false)
        #expect(!waterfall.bars.contains { $0.stage == "wait" })
        #expect(waterfall.summary.hasPrefix("95 ms of 5 s; most of it: find earlier exchanges"))
    }

    @Test func `the axis is the turn's own length, or five seconds, and shows the limit where it is reached`() {
        let spans = [span("decide", 0, 400)]
        let own = TurnWaterfall(spans, elapsed: .milliseconds(490), isWhole: false).html.text
        #expect(own.contains("ends at 490 ms") && !own.contains("class=\"limit\"") && own.contains("wait"))
        let whole = TurnWaterfall(spans, elapsed: .milliseconds(490), isWhole: true).html.text
        #expect(whole.contains("ends at 5.5 s") && whole.contains("class=\"limit\""))
        #expect(whole.contains("x1=\"90.9%\"") && whole.contains(">5 s</text>"))
        let late = TurnWaterfall([span("decide", 0, 6_000)], elapsed: .seconds(6), isWhole: false)
        #expect(late.html.text.contains("class=\"limit\"") && late.summary.contains("1 s over the limit"))
    }

    @Test(arguments: [
        (2.0, "now", "ahora"), (42, "42 s ago", "hace 42 s"), (150, "2 min ago", "hace 2 min"),
        (7_300, "2 h ago", "hace 2 h"),
    ])
    func `a past instant is written as the script will write it`(seconds: Double, english: String, spanish: String) {
        let now = Date(timeIntervalSince1970: 1_790_000_000)
        let past = now.addingTimeInterval(-seconds)
        #expect(Figure.past(past, at: now).text.contains(">\(english)</time>"))
        ConsoleLanguage.$current.withValue(.spanish) {
            #expect(Figure.past(past, at: now).text.contains(">\(spanish)</time>"))
        }
        #expect(Figure.past(now.addingTimeInterval(-90_000), at: now) == Figure.time(now.addingTimeInterval(-90_000)))
    }

    @Test func `words that a condition chooses are said in Spanish too`() {
        ConsoleLanguage.$current.withValue(.spanish) {
            let whole = TurnWaterfall([span("decide", 0, 400)], elapsed: .milliseconds(490), isWhole: true).html.text
            #expect(whole.contains("la línea roja son cinco segundos") && !whole.contains("red line"))
            let slow = TurnWaterfall(
                [span("record", 0, 8), span("compose", 90, 1)],
                elapsed: .milliseconds(95),
                isWhole: false
            )
            #expect(slow.bars.first { $0.stage == "wait" }?.note == "después: guardar el mensaje y sus alertas")
            let reply = Reply(
                text: "Good.",
                keepListening: false,
                conversation: ConversationID(),
                message: MessageID(),
                source: .model,
                promptVersion: "abc",
                usage: TokenUsage(promptTokens: 5, completionTokens: 2, isEstimate: true)
            )
            let facts = ReplyFactsView(reply: reply, provenance: nil, elapsed: .zero, names: BundleNames([])).html.text
            #expect(facts.contains("5 leídos, 2 escritos, estimado"), "\(facts)")
        }
    }

    @Test func `a turn without stages says so, and a note with markup is text`() {
        let none = TurnWaterfall([], elapsed: .zero, isWhole: true)
        #expect(none.html.text.contains("were not stored") && none.summary == "0 ms of 5 s.")
        let attack = Trace.Span(
            stage: "<b>x",
            start: .zero,
            duration: .milliseconds(1),
            outcome: .failed,
            note: "<script>alert(1)</script>"
        )
        let html = TurnWaterfall([attack], elapsed: .milliseconds(1), isWhole: false).html.text
        #expect(!html.contains("<script>") && !html.contains("<b>x") && html.contains("class=\"failed\""))
    }
}
