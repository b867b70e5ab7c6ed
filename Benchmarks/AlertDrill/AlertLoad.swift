import Foundation
import HTTPClient
import Runtime
import Synchronization

/// Asks a running service at a steady rate, whether it keeps up or not, and prints how long its answers took.
///
/// Times count from when a request was due, so that a service that falls behind is not flattered.
struct AlertLoad {
    private static let seconds = 20

    let url: String
    let key: String

    func run() async throws {
        let loops = EventLoopGroup(count: 1)
        let client = HTTPClient(on: loops)
        for (name, rate, path, body) in phases {
            let times = await send(path, rate: rate, over: client, body)
            print(Self.summary(name, times))
        }
        let metrics = try await client.send(OutgoingRequest(.get, url + "/metrics"), by: Deadline(after: .seconds(5)))
        let text = String(decoding: try await metrics.collect(upTo: 4 << 20), as: UTF8.self)
        for line in text.split(separator: "\n") {
            let isWanted = line.hasPrefix("hearth_alert_first_request_seconds") && line.contains(#"level="critical""#)
            if isWanted { print("  \(line)") }
        }
        await client.drain(by: Deadline(after: .seconds(2)))
        loops.stop()
    }

    /// Another patient for each turn and each press, so that none is told together with another.
    private var phases: [(String, Int, String, @Sendable (Int) -> String)] {
        [
            (
                "critical turn, 100/s", 100, "/api/v1/conversations/patient",
                { number in
                    #"{"patient_id":"\#(Self.patient(number))","message":"I can't breathe"}"#
                }
            ),
            (
                "emergency, 20/s", 20, "/api/v1/mobile/emergency",
                { number in
                    #"{"patient_id":"\#(Self.patient(2000 + number))"}"#
                }
            ),
            (
                "heartbeat, 1000/s", 1000, "/api/v1/mobile/heartbeat",
                { number in
                    #"{"patient_id":"\#(Self.patient(number % 3000))","timestamp":"\#(Self.now)","#
                        + #""context":{"movement_detected":true}}"#
                }
            ),
        ]
    }

    private static var now: String { Date().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)) }

    private static func patient(_ number: Int) -> String {
        let digits = String(number + 1)
        return "00000000-0000-4000-9000-" + String(repeating: "0", count: 12 - digits.count) + digits
    }

    /// Milliseconds to each answer, sorted; failures count as a minute.
    private func send(
        _ path: String,
        rate: Int,
        over client: HTTPClient,
        _ body: @escaping @Sendable (Int) -> String
    ) async -> [Double] {
        let times = LoadTimes()
        let began = Instant.now
        await withDiscardingTaskGroup { group in
            for number in 0..<(rate * Self.seconds) {
                let due = began + .nanoseconds(Int64(number) * 1_000_000_000 / Int64(rate))
                try? await SystemTime().sleep(until: due)
                group.addTask {
                    let isWell = await ask(path, body(number), over: client)
                    let spent = isWell ? Instant.now.since(due).milliseconds : 60_000
                    times.append(spent)
                }
            }
        }
        return times.sorted
    }

    private func ask(_ path: String, _ body: String, over client: HTTPClient) async -> Bool {
        let headers = HeaderFields(["Authorization": "Bearer \(key)", "Content-Type": "application/json"])
        let request = OutgoingRequest(.post, url + path, headers: headers, body: Array(body.utf8))
        do throws(TransferError) {
            let answer = try await client.send(request, by: Deadline(after: .seconds(10)))
            _ = try await answer.collect(upTo: 1 << 20)
            return answer.status == 200
        } catch {
            return false
        }
    }

    private static func summary(_ name: String, _ times: [Double]) -> String {
        func quantile(_ share: Double) -> String {
            let value = times[min(times.count - 1, Int(Double(times.count) * share))]
            return String((value * 10).rounded() / 10)
        }
        let failed = times.count { $0 >= 60_000 }
        return "\(name): \(times.count) requests, p50 \(quantile(0.5)) ms, p99 \(quantile(0.99)) ms, failed \(failed)"
    }
}

/// Milliseconds as they come in.
private final class LoadTimes: Sendable {
    private let all = Mutex<[Double]>([])

    var sorted: [Double] { all.withLock { $0.sorted() } }

    func append(_ milliseconds: Double) {
        all.withLock { $0.append(milliseconds) }
    }
}
