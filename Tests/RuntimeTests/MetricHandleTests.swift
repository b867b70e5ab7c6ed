import Runtime
import Testing

/// A series may be counted in by its labels or by a handle that was made at start.
@Suite struct MetricHandleTests {
    @Test func `a handle and its labels count in one series`() {
        let metrics = Metrics()
        let counter = metrics.counter("calls_total", "Calls.", labels: "model", "outcome")
        let handle = counter.handle("m", "whole")
        handle.add()
        counter.add(2, "m", "whole")
        handle.add(3)
        #expect(counter.value("m", "whole") == 6)
        let histogram = metrics.histogram("stage_seconds", "Stages.", labels: "stage")
        histogram.handle("screen").record(.milliseconds(3))
        histogram.record(.milliseconds(4), "screen")
        #expect(histogram.count("screen") == 2)
        #expect(metrics.count("stage_seconds", over: .milliseconds(5)) == (2, 0))
    }

    @Test func `a series of which only a handle was made is not shown`() {
        let metrics = Metrics()
        let counter = metrics.counter("calls_total", "Calls.", labels: "model")
        let handle = counter.handle("m")
        let histogram = metrics.histogram("stage_seconds", "Stages.", labels: "stage")
        _ = histogram.handle("screen")
        #expect(!metrics.exposition.contains("{"))
        #expect(metrics.counts("calls_total").isEmpty && metrics.snapshots("stage_seconds").isEmpty)
        handle.add()
        #expect(metrics.exposition.contains(#"calls_total{model="m"} 1"#))
    }
}
