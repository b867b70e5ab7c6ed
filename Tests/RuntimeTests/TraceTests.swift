import Runtime
import Testing

/// The ledger of a piece of work, whose stages end in another order than they begin.
@Suite struct TraceTests {
    @Test func `stages are told in the order in which they began`() {
        let start = Instant.now
        let trace = Trace(from: start)
        let began = [30, 10, 20, 10, 0, 40, 25]
        for (number, milliseconds) in began.enumerated() {
            trace.record("stage\(number)", from: start + .milliseconds(milliseconds), to: start + .seconds(1))
        }
        #expect(trace.spans.map(\.stage) == ["stage4", "stage1", "stage3", "stage2", "stage6", "stage0", "stage5"])
        #expect(trace.spans.map(\.start) == trace.spans.map(\.start).sorted())
    }
}
