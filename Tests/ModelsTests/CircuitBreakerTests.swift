import Models
import Runtime
import Testing

/// Opening and closing of a provider's circuit.
@Suite struct CircuitBreakerTests {
    private static func at(_ seconds: Double) -> Instant { Instant(nanoseconds: Int64(seconds * 1e9)) }

    private static func opened() -> CircuitBreaker {
        var breaker = CircuitBreaker()
        for _ in 0..<5 { breaker.failed(at: at(1)) }
        return breaker
    }

    /// True if a call is let through at each of these seconds, one after another.
    private static func admitted(by breaker: inout CircuitBreaker, at seconds: Double...) -> [Bool] {
        seconds.map { breaker.admit(at: at($0)) }
    }

    @Test func `it opens at the fifth failure of as many calls`() {
        var breaker = CircuitBreaker()
        for _ in 0..<4 { breaker.failed(at: Self.at(1)) }
        #expect(breaker.rest(at: Self.at(1)) == .zero)
        breaker.failed(at: Self.at(1))
        #expect(breaker.rest(at: Self.at(1)) == .seconds(1))
        #expect(breaker.rest(at: Self.at(1.4)) == .milliseconds(600))
    }

    @Test func `it stays closed while fewer than half of the calls fail`() {
        var breaker = CircuitBreaker()
        for _ in 0..<60 {
            breaker.succeeded(at: Self.at(1))
            breaker.succeeded(at: Self.at(1))
            breaker.failed(at: Self.at(1))
        }
        #expect(breaker.rest(at: Self.at(1)) == .zero)
    }

    @Test func `failures are forgotten after a while`() {
        var breaker = CircuitBreaker()
        for second in 0..<40 { breaker.failed(at: Self.at(Double(second) * 6)) }
        #expect(breaker.rest(at: Self.at(235)) == .zero)
    }

    @Test func `one call tries after the rest, and its success closes it`() {
        var breaker = Self.opened()
        let admitted1 = Self.admitted(by: &breaker, at: 1.5, 2, 2.1)
        #expect(admitted1 == [false, true, false])
        breaker.succeeded(at: Self.at(2.3))
        let admitted2 = Self.admitted(by: &breaker, at: 2.3, 2.3)
        #expect(admitted2 == [true, true])
    }

    @Test func `each trial that fails doubles the rest, up to its longest`() {
        var breaker = Self.opened()
        var now = 2.0
        var rests: [Double] = []
        for _ in 0..<7 {
            let admitted3 = Self.admitted(by: &breaker, at: now)
            #expect(admitted3 == [true])
            breaker.failed(at: Self.at(now))
            rests.append(breaker.rest(at: Self.at(now)).seconds)
            now += rests.last ?? 0
        }
        #expect(rests == [2, 4, 8, 16, 30, 30, 30])
    }

    @Test func `a trial that shows nothing is made again at once`() {
        var breaker = Self.opened()
        let admitted4 = Self.admitted(by: &breaker, at: 2)
        #expect(admitted4 == [true])
        breaker.ended(at: Self.at(2.2))
        let admitted5 = Self.admitted(by: &breaker, at: 2.2)
        #expect(admitted5 == [true])
    }

    @Test func `a trial that never ends keeps others away for five seconds`() {
        var breaker = Self.opened()
        let admitted6 = Self.admitted(by: &breaker, at: 2, 6.9, 7)
        #expect(admitted6 == [true, false, true])
    }

    @Test func `a provider that asks to be left alone is, but no longer than the longest rest`() {
        var breaker = CircuitBreaker()
        breaker.backOff(for: .seconds(3), at: Self.at(1))
        #expect(breaker.rest(at: Self.at(1)) == .seconds(3))
        breaker.backOff(for: .seconds(1), at: Self.at(1))
        #expect(breaker.rest(at: Self.at(1)) == .seconds(3))
        breaker.backOff(for: .seconds(900), at: Self.at(1))
        #expect(breaker.rest(at: Self.at(1)) == .seconds(30))
    }
}
