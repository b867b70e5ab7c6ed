import Domain
import Runtime
import Testing

@testable import Console

@Suite struct AddressWatchTests {
    @Test func `an address that failed often waits until its window has passed`() {
        var watch = SignInThrottle()
        let start = Instant(nanoseconds: 0)
        for _ in 0..<SignInThrottle.maximumFailures {
            #expect(watch.wait(of: "a", at: start) == nil)
            watch.note(failureFrom: "a", at: start)
        }
        #expect(watch.wait(of: "a", at: start) == SignInThrottle.window)
        #expect(watch.wait(of: "b", at: start) == nil)
        #expect(watch.wait(of: "a", at: start + .seconds(599)) == .seconds(1))
        #expect(watch.wait(of: "a", at: start + .seconds(600)) == nil)
        watch.note(failureFrom: "a", at: start + .seconds(600))
        #expect(watch.wait(of: "a", at: start + .seconds(600)) == nil)
    }

    @Test func `only the addresses heard of last are kept`() {
        var watch = SignInThrottle()
        let now = Instant(nanoseconds: 0)
        for _ in 0..<SignInThrottle.maximumFailures { watch.note(failureFrom: "a", at: now) }
        for number in 0..<999 { watch.note(failureFrom: "\(number)", at: now) }
        #expect(watch.wait(of: "a", at: now) != nil)
        for number in 0..<1_000 { watch.note(failureFrom: "x\(number)", at: now) }
        #expect(watch.wait(of: "a", at: now) == nil)
    }
}
