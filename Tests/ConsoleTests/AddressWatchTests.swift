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

    @Test(
        arguments: [
            ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", true), ("2001:db8:1:2::1", "2001:DB8:1:2:0::1", true),
            ("2001:db8:1:2::1", "[2001:db8:1:2::7]", true), ("fe80::1%eth0", "fe80::2", true),
            ("2001:db8:1:2::1", "2001:db8:1:3::1", false), ("::ffff:192.0.2.7", "192.0.2.7", true),
            ("::ffff:c000:207", "192.0.2.7", true), ("192.0.2.7", "192.0.2.8", false),
            ("::ffff:192.0.2.7", "::ffff:192.0.2.8", false), ("::1", "::2", true), ("a", "a", true), ("a", "b", false),
            ("", "0.0.0.0", false), ("192.0.2.7", "192.0.2.007", false),
        ]
    )
    func `the addresses of one network of IPv6 are counted together`(left: String, right: String, isSame: Bool) {
        #expect((NetworkSource(left) == NetworkSource(right)) == isSame)
        var watch = SignInThrottle()
        let now = Instant(nanoseconds: 0)
        for _ in 0..<SignInThrottle.maximumFailures { watch.note(failureFrom: left, at: now) }
        #expect((watch.wait(of: right, at: now) != nil) == isSame)
    }
}
