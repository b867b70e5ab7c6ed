import Conversation
import Cryptography
import Evaluation
import Foundation
import Runtime

/// `hearth evals run`: takes the samples, writes the run's file and reports, and exits with the verdict.
struct EvalsRun: Sendable {
    private let arguments: EvalsArguments
    private let settings: Settings
    private let mode: RunMode

    init(_ arguments: EvalsArguments, _ settings: Settings) throws(CommandFailure) {
        self.arguments = arguments
        self.settings = settings
        guard let mode = RunMode(rawValue: arguments.text("mode") ?? RunMode.replay.rawValue) else {
            throw CommandFailure("--mode is one of \(RunMode.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        self.mode = mode
    }

    func perform() async throws(CommandFailure) -> ExitCode {
        let all = try FixtureSelection.all(arguments.words)
        let fixtures = try FixtureSelection.chosen(all, arguments)
        guard !fixtures.isEmpty else { throw CommandFailure("No fixture is chosen.", .inconclusive) }
        if arguments.has("dry-run") {
            for fixture in fixtures { Terminal.out("\(fixture.id)  \(fixture.suite)  \(fixture.severity.rawValue)") }
            return .success
        }
        let loops = EventLoopGroup(count: settings.loopCount)
        let cassettes = arguments.text("cassettes") ?? "evals/cassettes"
        let setting = try EvaluationSetting.make(settings, mode: mode, cassettes: cassettes, on: loops)
        let judge = try judge(setting)
        let header = RunHeader(
            run: RunName.new(),
            startedAt: Date(),
            mode: mode,
            model: setting.model,
            judge: judge == nil ? "" : RubricJudge.digest(of: setting.model),
            seed: UInt64(try arguments.count("seed") ?? 1),
            repeats: try arguments.count("repeat"),
            components: setting.components,
            fixtures: try plan(fixtures),
            isPartial: fixtures.count < all.count
        )
        let (path, log, earlier) = try open(header)
        let outcome = try await take(fixtures, setting, judge, header, log, earlier, on: loops)
        loops.stop()
        return try report(outcome, header, path, bundle: setting.bundle)
    }

    private func plan(_ fixtures: [Fixture]) throws(CommandFailure) -> [String: PlannedFixture] {
        let repeats = try arguments.count("repeat")
        return Dictionary(uniqueKeysWithValues: fixtures.map { ($0.id, PlannedFixture($0, repeats: repeats)) })
    }

    private func judge(_ setting: EvaluationSetting) throws(CommandFailure) -> RubricJudge? {
        guard arguments.has("judge") else { return nil }
        guard let model = setting.judging else { throw CommandFailure("--judge needs a live run.") }
        let credentials = try JudgeCredentials.read(arguments.text("judge-labels") ?? "evals/judge.json")
        return RubricJudge(model, isCalibrated: credentials?.holds(for: setting.model) == true)
    }

    /// What an earlier part of the run has taken.
    private struct Earlier {
        var taken: Set<String> = []
        var tally = RunTally()
    }

    private func open(_ header: RunHeader) throws(CommandFailure) -> (String, RunLog, Earlier) {
        do throws(RunFileError) {
            if let path = arguments.text("resume") {
                var earlier = Earlier()
                earlier.taken = try RunFile(path).resumed(as: header)
                earlier.tally = try RunSummary(RunFile(path)).tally.withoutErrors
                return (path, try RunLog(path: path), earlier)
            }
            let path = arguments.text("run") ?? settings.folder(.runsFolder) + "/\(header.run).jsonl"
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
            try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            unlink(path)
            let log = try RunLog(path: path)
            try log.append(.header(header))
            return (path, log, Earlier())
        } catch {
            throw CommandFailure("The run's file cannot be used: \(error)", .infrastructure)
        }
    }

    private func take(
        _ fixtures: [Fixture],
        _ setting: EvaluationSetting,
        _ judge: RubricJudge?,
        _ header: RunHeader,
        _ log: RunLog,
        _ earlier: Earlier,
        on loops: EventLoopGroup
    ) async throws(CommandFailure) -> (RunTally, RunEnd) {
        let progress = RunProgress(isQuiet: arguments.has("quiet"))
        let run = EvaluationRun(
            fixtures,
            setting.parts,
            mode: mode,
            grader: Grader(judge: judge, price: try arguments.price()),
            options: try options(header),
            log: log,
            taken: earlier.taken,
            tally: earlier.tally,
            progress: { progress.done($0, of: $1) }
        )
        let signals = ShutdownSignals(on: EventLoop(index: loops.loops.count))
        let outcome = OneShot<Result<(RunTally, RunEnd), CommandFailure>>()
        let group = ServiceGroup(setting.services, drainTime: .seconds(5), log: setting.log)
        do {
            try await group.run(interruptedBy: { _ = await signals.first() }) {
                let stopping = Task {
                    _ = await signals.first()
                    if !Task.isCancelled { run.interrupt() }
                }
                outcome.settle(await result(of: run, on: loops))
                stopping.cancel()
            }
        } catch {
            outcome.settle(.failure(CommandFailure("The model does not run: \(error)", .infrastructure)))
        }
        outcome.settle(.failure(CommandFailure("Stopped while it was starting.", .interrupted)))
        progress.end()
        return try await outcome.value(ifCancelled: .failure(CommandFailure("Cancelled.", .interrupted))).get()
    }

    private func result(
        of run: EvaluationRun,
        on loops: EventLoopGroup
    ) async -> Result<(RunTally, RunEnd), CommandFailure> {
        do throws(RunFileError) {
            return .success(try await run.run(on: loops))
        } catch {
            return .failure(CommandFailure("The run's file cannot be written: \(error)", .infrastructure))
        }
    }

    private func options(_ header: RunHeader) throws(CommandFailure) -> RunOptions {
        var options = RunOptions()
        options.concurrency = try arguments.count("concurrency") ?? 2
        options.repeats = header.repeats
        options.seed = header.seed
        options.price = try arguments.price()
        options.maximumCost = try arguments.number("max-cost")
        if options.maximumCost != nil, options.price == nil {
            throw CommandFailure("--max-cost needs --price: without it nothing would ever be spent.")
        }
        options.deadline = try arguments.number("deadline").map { Deadline(after: .milliseconds(Int64($0 * 1_000))) }
        options.failsFast = arguments.has("fail-fast")
        return options
    }

    private func report(
        _ outcome: (tally: RunTally, end: RunEnd),
        _ header: RunHeader,
        _ path: String,
        bundle: String
    ) throws(CommandFailure) -> ExitCode {
        let summary = RunSummary(header: header, end: outcome.end, tally: outcome.tally)
        let finding = RunFinding(of: summary, bundle: bundle, gate: try arguments.gate())
        do throws(RunFileError) {
            try finding.write(to: settings.folder(.runsFolder))
        } catch {
            throw CommandFailure("What the run found cannot be kept for promotions: \(error)", .infrastructure)
        }
        return try RunReading.finish(summary, path: path, arguments)
    }
}
