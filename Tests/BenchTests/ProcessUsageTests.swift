import Foundation
import Testing

@testable import Bench

@Suite struct ProcessUsageTests {
    private static let stat = "71 (a (b) c) S 1 71 71 0 -1 4194304 100 0 0 0 250 50 0 0 20 0 9 0 100 1000 200"
    private static let io = "rchar: 1000\nwchar: 500\nsyscr: 7\nsyscw: 3\nread_bytes: 0\n"
    private static let status = "Name:\tb\nVmHWM:\t    2048 kB\nVmRSS:\t    1024 kB\n"

    @Test func `a process's files say what it has used`() throws {
        let usage = try #require(
            ProcessUsage(stat: Self.stat, io: Self.io, status: Self.status, ticksPerSecond: 100)
        )
        #expect(usage.user == .milliseconds(2_500))
        #expect(usage.system == .milliseconds(500))
        #expect(usage.bytes == 1_500)
        #expect(usage.transfers == 10)
        #expect(usage.resident == 1_048_576)
        #expect(usage.mostResident == 2_097_152)
    }

    @Test(
        arguments: [
            ("", io, status), ("71 (b", io, status), ("71 (b) S 1 2", io, status), (stat, "", status), (stat, io, ""),
            (stat, "rchar: x\nwchar: 5\nsyscr: 7\nsyscw: 3", status),
        ]
    )
    func `files of another form say nothing`(stat: String, io: String, status: String) {
        #expect(ProcessUsage(stat: stat, io: io, status: status, ticksPerSecond: 100) == nil)
    }

    @Test func `this process has used something, and one that is not there nothing`() throws {
        let usage = try #require(ProcessUsage(of: getpid()))
        #expect(usage.resident > 1_000_000)
        #expect(ProcessUsage(of: -1) == nil)
    }
}
