import Foundation
import Runtime
import Testing

@testable import PostgresStore

/// A turn's ledger comes back as it was stored, by this program or one before it.
struct StoredSpansTests {
    @Test func `spans come back with their times to a microsecond`() {
        let spans = [
            Trace.Span(stage: "recall", start: .microseconds(1_250), duration: .zero, outcome: .ok, note: ""),
            Trace.Span(
                stage: "record",
                start: .milliseconds(500),
                duration: .seconds(2),
                outcome: .degraded,
                note: "away"
            ),
            Trace.Span(
                stage: "screen",
                start: .seconds(9),
                duration: .microseconds(1),
                outcome: .ok,
                note: "none, \"0\""
            ),
            Trace.Span(stage: "commit", start: .seconds(9), duration: .zero, outcome: .failed, note: ""),
        ]
        #expect(StoredSpans.spans(StoredSpans.json(spans)) == spans)
        #expect(StoredSpans.spans(StoredSpans.json([])) == [])
    }

    @Test func `a note with tabs and lines stays one note`() throws {
        let span = Trace.Span(stage: "generate", start: .zero, duration: .zero, outcome: .ok, note: "a\tb\nc\td\"é")
        let read = try #require(StoredSpans.spans(StoredSpans.json([span, span])))
        #expect(read.map(\.note) == ["a b c d\"é", "a b c d\"é"])
    }

    @Test func `spans that were stored as objects are read, and those of an unknown outcome left out`() {
        let stored = #"""
            [{"stage": "receive", "start": 1.25, "outcome": "ok", "duration": 0.5},
             {"stage": "screen", "start": 2, "outcome": "refused", "duration": 0, "note": "none"},
             {"stage": "commit", "start": 2, "outcome": "knitted", "duration": 0}]
            """#
        let expected = [
            Trace.Span(
                stage: "receive",
                start: .microseconds(1_250),
                duration: .microseconds(500),
                outcome: .ok,
                note: ""
            ),
            Trace.Span(stage: "screen", start: .milliseconds(2), duration: .zero, outcome: .refused, note: "none"),
        ]
        #expect(StoredSpans.spans(Array(stored.utf8)) == expected)
        #expect(StoredSpans.spans(Array("7".utf8)) == nil)
    }
}
