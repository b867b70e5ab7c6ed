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

@Suite struct HistogramSnapshotTests {
    private func snapshot(_ seconds: [Double]) throws -> HistogramSnapshot {
        let metrics = Metrics()
        let histogram = metrics.histogram("a", "A.", labels: "b")
        for value in seconds { histogram.record(.seconds(value), "x") }
        return metrics.snapshots("a")[["x"]] ?? HistogramSnapshot(counts: [], count: 0)
    }

    @Test(arguments: [
        ([0.7, 0.7, 0.7, 0.7], 0.5, 0.75), ([0.7], 1, 1), ([0.7, 4], 0.5, 1), ([0.7, 4], 1, 4), ([60], 0.5, 10),
        ([0.7, 0.7, 0.7, 60], 0.75, 1), ([0.7], 0, 0.5),
    ]) func `a share of the durations is below its quantile`(
        _ seconds: [Double],
        _ share: Double,
        _ value: Double
    ) throws {
        let quantile = try #require(try snapshot(seconds).quantile(share))
        #expect(abs(quantile.seconds - value) < 1e-9)
    }

    @Test func `nothing has no quantile, and what was before is taken off`() throws {
        let before = try snapshot([0.7, 0.7])
        let after = try snapshot([0.7, 0.7, 4])
        #expect(after.since(before).count == 1)
        #expect(after.since(before).quantile(1)?.seconds == 4)
        #expect(after.since(nil) == after)
        #expect(before.since(after) == before)
        #expect(after.since(after).quantile(0.5) == nil)
        #expect(Metrics().snapshots("none").isEmpty && Metrics().sum("none") == 0)
    }
}
