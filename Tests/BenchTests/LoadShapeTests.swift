import Testing

@testable import Bench

@Suite struct LoadShapeTests {
    @Test func `an open loop spaces its calls evenly and ends with its time`() {
        let shape = LoadShape.open(perSecond: 10, callers: 3)
        #expect(shape.start(ofCall: 0, in: .seconds(2)) == .zero)
        #expect(shape.start(ofCall: 5, in: .seconds(2)) == .milliseconds(500))
        #expect(shape.start(ofCall: 19, in: .seconds(2)) != nil)
        #expect(shape.start(ofCall: 20, in: .seconds(2)) == nil)
    }

    @Test func `a day has all its calls, in order, and its busiest hour is as busy as is said`() throws {
        let shape = LoadShape.day(perSecond: 100, callers: 1)
        let starts = (0..<2_400).compactMap { shape.start(ofCall: $0, in: .seconds(24)) }
        #expect(starts.count == 2_400)
        #expect(starts == starts.sorted())
        #expect(shape.start(ofCall: 2_400, in: .seconds(24)) == nil)
        let perHour = (0..<24).map { hour in
            starts.count { $0 >= .seconds(hour) && $0 < .seconds(hour + 1) }
        }
        let busiest = try #require(perHour.max())
        #expect(abs(Double(busiest) / 100 - DailyLoadProfile.peak) < 0.05)
        #expect(perHour[3] < busiest / 10)
    }

    @Test(arguments: [0.0, 0.25, 0.5, 1.0])
    func `a share of a day's messages has come at a time of the day`(share: Double) {
        let time = DailyLoadProfile.time(ofShare: share)
        #expect((0...1).contains(time))
        if share == 0 { #expect(time == 0) }
        if share == 1 { #expect(time == 1) }
    }
}
