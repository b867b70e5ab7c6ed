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

@Suite struct MillisecondsTextTests {
    @Test(
        arguments: [
            (0, 2, "0.00"), (1, 2, "0.00"), (4_999, 2, "0.00"), (5_000, 2, "0.01"), (995_000, 2, "1.00"),
            (12_345_678, 2, "12.35"), (12_345_678, 4, "12.3457"), (5_000_000_000, 1, "5000.0"),
            (-1_500_000, 2, "-1.50"),
            (1_050_000, 3, "1.050"), (123_456_789, 6, "123.456789"),
        ]
    )
    func `a duration is written in milliseconds, rounded`(nanoseconds: Int, digits: Int, text: String) {
        var bytes: [UInt8] = []
        bytes.appendMilliseconds(.nanoseconds(nanoseconds), digits: digits)
        #expect(String(decoding: bytes, as: UTF8.self) == text)
    }
}
