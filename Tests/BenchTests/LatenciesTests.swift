import Testing

@testable import Bench

@Suite struct LatenciesTests {
    private func latencies(_ count: Int) -> Latencies {
        Latencies((1...count).map { .milliseconds($0) }.shuffled())
    }

    @Test(arguments: [(0.5, 500), (0.9, 900), (0.99, 990), (0.999, 999)])
    func `a percentile is the least duration that so many do not exceed`(share: Double, milliseconds: Int) {
        #expect(latencies(1_000).percentile(share) == .milliseconds(milliseconds))
    }

    @Test func `of few a high percentile is not known`() {
        #expect(latencies(999).percentile(0.999) == nil)
        #expect(latencies(99).percentile(0.99) == nil)
        #expect(latencies(100).percentile(0.99) == .milliseconds(99))
    }

    @Test func `the median of one is that one, and of none there is none`() {
        #expect(latencies(1).percentile(0.5) == .milliseconds(1))
        #expect(Latencies([]).percentile(0.5) == nil)
        #expect(Latencies([]).longest == nil)
    }
}
