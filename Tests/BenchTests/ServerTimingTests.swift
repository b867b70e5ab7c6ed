import Testing

@testable import Bench

@Suite struct ServerTimingTests {
    @Test func `each stage is read with its duration`() {
        let stages = ServerTiming.stages(
            of: "receive;dur=0.05;start=0.00, remember;dur=1.5;start=0.1, total;dur=310.25"
        )
        #expect(stages.map(\.0) == ["receive", "remember", "total"])
        #expect(stages.map(\.1) == [.microseconds(50), .microseconds(1_500), .microseconds(310_250)])
    }

    @Test(arguments: ["", ",", "cache", "cache;desc=hit", "cache;dur=", "cache;dur=soon", "cache;dur=inf"])
    func `what has no duration is no stage`(field: String) {
        #expect(ServerTiming.stages(of: field).isEmpty)
    }
}
