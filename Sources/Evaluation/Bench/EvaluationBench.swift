import Cryptography
import Foundation
package import Runtime
import Synchronization

/// Where operators try bundles: one piece of work at a time, on loops of its own, that no turn waits for, with a deadline.
///
/// Between pieces of work it costs nothing. Outcomes are kept in memory, the last eight of them.
package final class EvaluationBench: Service {
    /// How much the bench takes on.
    package struct Limits: Sendable {
        /// How long a comparison may take before no new sample is begun.
        package var comparing = Duration.seconds(120)
        /// The same for a whole run.
        package var running = Duration.seconds(1_800)
        /// Samples of one piece of work, at most.
        package var samples = 5_000

        /// Makes the usual limits.
        package init() {}
    }

    /// What the log calls it.
    package let name = "evaluation bench"
    private let limits: Limits
    private let log: Log
    private let ledger = Mutex(BenchLedger())
    private let task = Mutex<(work: Task<Void, Never>, ended: OneShot<Void>)?>(nil)

    /// Makes an empty bench.
    package init(limits: Limits = Limits(), log: Log) {
        self.limits = limits
        self.log = log
    }

    package func start() {}

    /// Begins nothing more, and waits for the samples that are running.
    package func drain(by deadline: Deadline) async {
        ledger.withLock { $0.stop() }
        guard let running = task.withLock({ $0 }) else { return }
        running.work.cancel()
        let alarm = Alarm(at: deadline) { running.ended.settle(()) }
        defer { alarm.cancel() }
        await running.ended.value(ifCancelled: ())
    }

    /// What is on the bench; nil when it is free.
    package var current: BenchProgress? { ledger.withLock { $0.current } }

    /// What came of a piece of work; nil while it is running, when it is forgotten, and when there never was one.
    package func outcome(of id: String) -> BenchOutcome? { ledger.withLock { $0.outcome(of: id) } }

    /// Begins a piece of work; returns the name under which its outcome is kept.
    package func begin(_ work: BenchWork) throws(BenchRefusal) -> String {
        guard (1...limits.samples).contains(work.total) else {
            throw .samples(work.total, limit: limits.samples)
        }
        let id = RunName.new()
        try ledger.withLock { ledger throws(BenchRefusal) in
            try ledger.begin(id, total: work.total, at: Date())
        }
        log.notice("bench_began", "bench_id" ~ id, "samples" ~ work.total)
        let ended = OneShot<Void>()
        let began = Task { [self] in
            let outcome = await outcome(of: work, as: id)
            ledger.withLock { $0.end(id, outcome) }
            log.notice("bench_ended", "bench_id" ~ id)
            ended.settle(())
        }
        task.withLock { $0 = (began, ended) }
        return id
    }

    private func outcome(of work: BenchWork, as id: String) async -> BenchOutcome {
        let loops = EventLoopGroup(count: 1)
        defer { loops.stop() }
        switch work {
        case .sideBySide(let fixtures, let old, let new, let mode):
            let deadline = Deadline(after: limits.comparing)
            return await Self.on(loops.loops[0]) { [self] in
                .sideBySide(
                    await SideBySide.take(fixtures, old, new, mode: mode, by: deadline) { note(id, $0) }
                )
            }
        case .replay(let replay):
            return await Self.on(loops.loops[0]) { .replay(await replay.take()) }
        case .run(let run):
            do throws(RunFileError) {
                let deadline = Deadline(after: limits.running)
                return .run(try await run.take(on: loops, by: deadline) { [self] in note(id, $0) })
            } catch {
                return .failed("The run's file cannot be written: \(error)")
            }
        }
    }

    /// Does something on a loop.
    private static func on(
        _ loop: EventLoop,
        _ work: @escaping @Sendable () async -> BenchOutcome
    ) async -> BenchOutcome {
        await withTaskGroup(of: BenchOutcome.self) { group in
            group.addTask(executorPreference: loop) { await work() }
            return await group.next() ?? .failed("Nothing was taken.")
        }
    }

    private func note(_ id: String, _ done: Int) { ledger.withLock { $0.progress(id, done) } }
}
