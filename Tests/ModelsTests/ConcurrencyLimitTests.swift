import Models
import Runtime
import Testing

/// Number of calls that a provider gets at once.
@Suite struct ConcurrencyLimitTests {
    private static func at(_ seconds: Double) -> Instant { Instant(nanoseconds: Int64(seconds * 1e9)) }

    /// A second in which so many calls were in flight at once and so many of them found the provider busy.
    private static func second(_ limit: inout ConcurrencyLimit, from start: Double, calls: Int, busy: Int) {
        var entered = 0
        for _ in 0..<calls where limit.enter(at: at(start)) { entered += 1 }
        for index in 0..<entered { limit.leave(wasBusy: index < busy, at: at(start + 0.5)) }
        if limit.enter(at: at(start + 1)) { limit.leave(wasBusy: false, at: at(start + 1)) }
    }

    @Test func `no more than the limit are let in`() {
        var limit = ConcurrencyLimit(3, within: 1...10)
        let first = (0..<5).map { _ in limit.enter(at: Self.at(0)) }
        #expect(first == [true, true, true, false, false])
        limit.leave(wasBusy: false, at: Self.at(0))
        let later = limit.enter(at: Self.at(0))
        #expect(later)
    }

    @Test func `it rises while it is used and the provider keeps up`() {
        var limit = ConcurrencyLimit(100, within: 4...200)
        var second = 0.0
        for _ in 0..<20 {
            Self.second(&limit, from: second, calls: 500, busy: 0)
            second += 2
        }
        #expect(limit.limit == 200)
    }

    @Test func `it stays while it is not used`() {
        var limit = ConcurrencyLimit(100, within: 4...200)
        for second in 0..<10 { Self.second(&limit, from: Double(second) * 2, calls: 20, busy: 0) }
        #expect(limit.limit == 100)
    }

    @Test func `a quarter of busy calls lowers it to seven tenths of what was in flight, down to its least`() {
        var limit = ConcurrencyLimit(100, within: 4...200)
        Self.second(&limit, from: 0, calls: 100, busy: 25)
        #expect(limit.limit == 70)
        for second in 1..<20 { Self.second(&limit, from: Double(second) * 2, calls: 100, busy: 100) }
        #expect(limit.limit == 4)
    }

    @Test(arguments: [3, 24])
    func `a few busy calls lower nothing`(busy: Int) {
        var limit = ConcurrencyLimit(100, within: 4...100)
        Self.second(&limit, from: 0, calls: 100, busy: busy)
        #expect(limit.limit == 100)
    }
}
