import Bench
import HTTPClient
import Runtime

/// Measures scenarios one after another in one environment.
struct BenchSession: Sendable {
    private static let largestAnswer = 1 << 20
    private static let callTime = Duration.seconds(20)

    private let stage: BenchStage
    private let arguments: BenchArguments

    init(_ stage: BenchStage, _ arguments: BenchArguments) {
        self.stage = stage
        self.arguments = arguments
    }

    /// Rows of all scenarios.
    ///
    /// With a peer, measures in pairs and prints each ratio as soon as it is known.
    func rows(_ scenarios: [BenchScenario]) async -> [BenchRow] {
        var rows: [BenchRow] = []
        for scenario in scenarios {
            guard let peer = stage.peer, scenario.isForPeers else {
                rows.append(await row(scenario, of: stage.service))
                continue
            }
            for _ in 0..<arguments.pairs {
                let own = await row(scenario, of: stage.service)
                let other = await row(scenario, of: peer)
                rows += [own, other]
                Terminal.error(BenchTable.ratios(own, other))
            }
        }
        return rows
    }

    private func row(_ scenario: BenchScenario, of subject: BenchSubject) async -> BenchRow {
        if arguments.warmUp > 0 { _ = await load(scenario, of: subject, for: arguments.warmUp).perform() }
        let before = subject.usage
        let outcome = await load(scenario, of: subject, for: arguments.seconds).perform()
        let cost = before.flatMap { before in
            subject.usage.flatMap { BenchRow.Cost(from: before, to: $0, calls: outcome.answered.count) }
        }
        let isWatched = scenario != .model
        return BenchRow(
            scenario.rawValue,
            of: isWatched ? subject.name : "stub",
            outcome,
            cost: isWatched ? cost : nil
        )
    }

    private func load(_ scenario: BenchScenario, of subject: BenchSubject, for seconds: Double) -> LoadRun {
        LoadRun(arguments.shape(of: scenario), for: .seconds(seconds), on: stage.loops) { [stage] index in
            let request = scenario.request(
                index,
                to: subject.address,
                key: stage.key,
                model: stage.model,
                patients: stage.patients
            )
            guard let request else { return .failed("no request") }
            return await Self.ending(of: request, stage.client)
        }
    }

    private static func ending(of request: OutgoingRequest, _ client: HTTPClient) async -> LoadRun.Ending {
        do throws(TransferError) {
            let response = try await client.send(request, by: Deadline(after: callTime))
            let field = response.headers["Server-Timing"] ?? ""
            _ = try await response.collect(upTo: largestAnswer)
            guard (200..<300).contains(response.status) else { return .failed("status \(response.status)") }
            return .answered(stages: ServerTiming.stages(of: field))
        } catch {
            return .failed("no answer")
        }
    }
}
