import Conversation
import Foundation
import Runtime
import Synchronization
import TestSupport
import Testing

@testable import Console

@Suite struct HealthTests {
    /// Parts that a test changes.
    private final class Parts: Readiness {
        private let kept = Mutex<[ReadinessPart]>([])

        var parts: [ReadinessPart] {
            get { kept.withLock { $0 } }
            set { kept.withLock { $0 = newValue } }
        }
    }

    @Test func `a part is not well since it was first seen so, until it is well`() {
        let time = VirtualTime()
        let parts = Parts()
        let history = HealthHistory(Metrics(), parts, time: time)
        let begin = time.date
        parts.parts = [ReadinessPart("model", .degraded), ReadinessPart("database")]
        history.look()
        time.advance(by: .seconds(60))
        history.look()
        #expect(history.parts.map(\.since) == [begin, nil])
        parts.parts = [ReadinessPart("model"), ReadinessPart("database", .down)]
        history.look()
        #expect(history.parts.map(\.since) == [nil, begin.addingTimeInterval(60)])
    }

    @Test func `only so many looks are kept`() {
        let history = HealthHistory(Metrics(), Parts(), time: VirtualTime())
        for _ in 0..<500 { history.look() }
        #expect(history.samples.count == HealthHistory.capacity)
    }

    @Test func `what happened since the first look is shown against the limits`() {
        let metrics = Metrics()
        let turns = metrics.histogram("hearth_turn_seconds", "T.", labels: "source")
        let requests = metrics.counter("hearth_http_requests_total", "R.", labels: "route", "status")
        requests.add(1_000, "/a", "500")
        let history = HealthHistory(metrics, Parts(), time: VirtualTime())
        history.look()
        for _ in 0..<90 { turns.record(.milliseconds(700), "model") }
        for _ in 0..<10 { turns.record(.seconds(8), "model") }
        requests.add(97, "/a", "200")
        requests.add(3, "/a", "503")
        history.look()
        let html = HealthSheet(history.samples, parts: []).html.text
        #expect(html.contains("10 % (10 of 100)"))
        #expect(html.contains("3 % (3 of 100)"))
        #expect(html.contains("– (0 of 0)"))
        #expect(html.components(separatedBy: "above the limit").count == 2)
        #expect(html.components(separatedBy: ">within<").count == 3)
    }

    @Test func `a plot holds its limit and says in words where its lines end`() {
        let lines = [Plot.Line("p50 <b>", [nil, 1, 2]), Plot.Line("p95", [nil, nil, nil])]
        let html = Plot("Seconds", unit: "s", lines: lines, limit: 5, span: "15 min").html.text
        #expect(html.contains("Now: p50 &lt;b&gt; 2 s, p95 nothing."))
        #expect(html.contains("class=\"limit\""))
        #expect(!html.contains("<b>"))
        #expect(html.components(separatedBy: "<path").count == 2)
    }

    @Test(arguments: [
        (Duration.microseconds(400), "0.4 ms"), (.milliseconds(312), "312 ms"), (.milliseconds(4_812), "4.8 s"),
        (.zero, "0 ms"), (.milliseconds(999), "999 ms"),
    ]) func `a duration reads in three figures at most`(_ duration: Duration, _ text: String) {
        #expect(Figure.milliseconds(duration) == text)
    }

    @Test(arguments: [(97, "$0.000097"), (0, "$0.000000"), (1_250_000, "$1.250000")])
    func `a cost reads in dollars`(_ microdollars: Int, _ text: String) {
        #expect(Figure.dollars(microdollars) == text)
    }
}
