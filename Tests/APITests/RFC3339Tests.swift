import Foundation
import Testing

@testable import API

@Suite struct RFC3339Tests {
    @Test(
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2025-10-24T08:05:00.000Z", 1_761_293_100),
            ("2025-10-24t08:05:00z", 1_761_293_100),
            ("2025-10-24T04:05:00-04:00", 1_761_293_100), ("2025-10-24T13:35:00.5+05:30", 1_761_293_100.5),
            ("2024-02-29T23:59:59Z", 1_709_251_199), ("1969-12-31T23:59:59Z", -1),
            ("0000-01-01T00:00:00Z", -62_167_219_200),
            ("9999-12-31T23:59:59.999999999Z", 253_402_300_799.999_999_999), ("2016-12-31T23:59:60Z", 1_483_228_800),
            ("2000-03-01T00:00:00+00:00", 951_868_800), ("1600-02-29T00:00:00-00:00", -11_670_998_400),
        ] as [(String, Double)]
    )
    func `a date and time with zone is an instant`(text: String, seconds: Double) throws {
        let date = try #require(RFC3339.date(text))
        #expect(abs(date.timeIntervalSince1970 - seconds) < 0.000_01)
    }

    @Test(
        arguments: [
            "", "2025-10-24", "2025-10-24T08:05:00", "2025-10-24 08:05:00Z", "2025-10-24T08:05Z", "2025-10-24T8:05:00Z",
            "2025-10-24T08:05:00.Z", "2025-10-24T24:00:00Z", "2025-10-24T08:60:00Z", "2025-10-24T08:05:61Z",
            "2025-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2025-04-31T00:00:00Z", "2025-00-10T00:00:00Z",
            "2025-10-00T00:00:00Z",
            "2025-10-24T08:05:00+0400", "2025-10-24T08:05:00+24:00", "2025-10-24T08:05:00+04:60",
            "2025-10-24T08:05:00 Z",
            "2025-10-24T08:05:00Zx", "25-10-24T08:05:00Z", "+2025-10-24T08:05:00Z", "2025-10-24T08:05:00,5Z",
            "1761293100",
            "２025-10-24T08:05:00Z", "2025-10-24T08:05:00Z\n",
        ]
    )
    func `anything else is not`(text: String) {
        #expect(RFC3339.date(text) == nil)
    }

    @Test func `a time that was read is written as it was read, to the millisecond`() throws {
        for millisecond in 0..<1000 {
            let text = "2026-11-27T16:59:50.\(String(1000 + millisecond).dropFirst())Z"
            #expect(RFC3339.text(try #require(RFC3339.date(text))) == text)
        }
    }

    @Test func `Foundation agrees about days of seven centuries`() throws {
        let format = Date.ISO8601FormatStyle()
        for day in stride(from: -141_000, through: 146_097, by: 13) {
            let date = Date(timeIntervalSince1970: Double(day) * 86_400 + 12_345)
            #expect(RFC3339.date(date.formatted(format)) == date)
        }
    }

    @Test func `an instant is written in Coordinated Universal Time`() throws {
        let date = Date(timeIntervalSince1970: 1_761_293_100.25)
        #expect(RFC3339.text(date) == "2025-10-24T08:05:00.250Z")
        let zone = try #require(TimeZone(identifier: "Asia/Kolkata"))
        #expect(RFC3339.day(Date(timeIntervalSince1970: 1_761_340_000), in: zone) == "2025-10-25")
        #expect(RFC3339.timeOfDay(date, in: zone) == "13:35:00")
    }
}
