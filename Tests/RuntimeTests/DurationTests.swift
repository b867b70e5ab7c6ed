import Testing

@testable import Runtime

@Suite struct DurationTests {
    @Test(
        arguments: [
            (Duration.zero, 0), (.nanoseconds(1), 1), (.nanoseconds(-1), -1), (.milliseconds(4_750), 4_750_000_000),
            (.milliseconds(9_223), 9_223_000_000), (.milliseconds(9_224), 9_224_000_000),
            (.milliseconds(-9_224), -9_224_000_000), (.seconds(86_400), 86_400_000_000_000),
            (Duration(secondsComponent: 0, attosecondsComponent: 999_999_999), 0),
        ]
    )
    func `a duration is counted in whole nanoseconds`(duration: Duration, nanoseconds: Int) {
        #expect(duration.nanoseconds == Int64(nanoseconds))
    }

    @Test func `a duration beyond 292 years is as long as can be counted`() {
        #expect(Duration.seconds(Int64.max).nanoseconds == .max / 2)
        #expect(Duration.seconds(Int64.min).nanoseconds == .min / 2)
    }
}
