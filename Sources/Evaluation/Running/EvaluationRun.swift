import Conversation
package import Runtime
import Synchronization

/// Takes the samples of a run, several at a time, and writes each as it is done.
///
/// Samples on a simulated clock have a loop each; live ones share the loops. What is running when the run is stopped is
/// finished and written.
package final class EvaluationRun: Sendable {
    private struct State {
        var next = 0
        var cost = 0.0
        var stop: RunEnd.Reason?
        var failure: RunFileError?
        var tally: RunTally
    }

    private let fixtures: [Fixture]
    private let counts: [Int]
    private let options: RunOptions
    private let runner: SampleRunner
    private let log: RunLog
    private let taken: Set<String>
    private let total: Int
    private let progress: @Sendable (_ done: Int, _ total: Int) -> Void
    private let state: Mutex<State>

    /// Prepares a run.
    ///
    /// - Parameters:
    ///   - taken: Samples that an earlier part of the run has taken.
    ///   - tally: What those came to.
    ///   - progress: Is told after each sample; on a thread of the run's, so it must be quick.
    package init(
        _ fixtures: [Fixture],
        _ parts: EvaluationParts,
        mode: RunMode,
        grader: Grader = Grader(),
        options: RunOptions = RunOptions(),
        log: RunLog,
        taken: Set<String> = [],
        tally: RunTally = RunTally(),
        progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) {
        self.progress = progress
        self.fixtures = fixtures
        self.options = options
        self.log = log
        self.taken = taken
        counts = fixtures.map { options.repeats ?? $0.repetition.count }
        total = counts.reduce(0, +)
        runner = SampleRunner(parts, grader: grader, mode: mode)
        var tally = tally
        tally.expect(
            Dictionary(
                fixtures.map { ($0.id, PlannedFixture($0, repeats: options.repeats)) },
                uniquingKeysWith: { first, _ in first }
            )
        )
        state = Mutex(State(tally: tally))
    }

    /// What the samples have come to so far.
    package var tally: RunTally { state.withLock { $0.tally } }

    /// Begins no more samples.
    package func interrupt() {
        state.withLock { $0.stop = $0.stop ?? .interrupted }
    }

    /// Takes every sample, writes the end, and returns what they came to.
    ///
    /// - Parameter loops: The loops; nothing else may run on them when samples are simulated.
    package func run(on loops: EventLoopGroup) async throws(RunFileError) -> (RunTally, RunEnd) {
        let began = Instant.now
        await take(fixtures.indices.filter { !runner.isLive(fixtures[$0]) }, workers: loops.loops.count, on: loops)
        await take(fixtures.indices.filter { runner.isLive(fixtures[$0]) }, workers: options.concurrency, on: loops)
        let (failure, stop) = state.withLock { ($0.failure, $0.stop) }
        if let failure { throw failure }
        let end = RunEnd(reason: stop ?? .finished, seconds: Instant.now.since(began).seconds)
        try log.append(.end(end))
        try log.sync()
        return (tally, end)
    }

    private struct Place: Sendable {
        let fixture: Int
        let attempt: Int
    }

    /// Takes some fixtures' samples: first attempts before second ones, so that a run that is stopped has seen all.
    private func take(_ chosen: [Int], workers: Int, on loops: EventLoopGroup) async {
        guard let most = chosen.map({ counts[$0] }).max() else { return }
        state.withLock { $0.next = 0 }
        let places = chosen.count * most
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<min(max(1, workers), places) {
                let loop = loops.loops[worker % loops.loops.count]
                group.addTask(executorPreference: loop) { [self] in
                    while let place = next(of: chosen, places) {
                        await log.room()
                        finish(await runner.sample(fixtures[place.fixture], attempt: place.attempt))
                    }
                }
            }
        }
    }

    /// The next sample that is still to be taken; nil when there is none, or the run is to end.
    private func next(of chosen: [Int], _ places: Int) -> Place? {
        state.withLock { state in
            if options.deadline?.hasPassed() == true { state.stop = state.stop ?? .budget }
            while state.stop == nil, state.failure == nil, state.next < places {
                let place = Place(
                    fixture: chosen[state.next % chosen.count],
                    attempt: state.next / chosen.count + 1
                )
                state.next += 1
                if place.attempt <= counts[place.fixture], !isTaken(place) { return place }
            }
            return nil
        }
    }

    private func isTaken(_ place: Place) -> Bool {
        !taken.isEmpty && taken.contains(SampleRecord.key(fixtures[place.fixture].id, place.attempt))
    }

    private func finish(_ record: SampleRecord) {
        let failure: RunFileError?
        do {
            try log.append(.sample(record))
            failure = nil
        } catch {
            failure = error
        }
        let done = state.withLock { state in
            state.failure = state.failure ?? failure
            state.tally.add(record)
            state.cost += cost(of: record)
            if let limit = options.maximumCost, state.cost >= limit { state.stop = state.stop ?? .budget }
            if options.failsFast, record.outcome == .fail { state.stop = state.stop ?? .failFast }
            return state.tally.samples
        }
        progress(done, total)
    }

    private func cost(of record: SampleRecord) -> Double {
        guard let price = options.price, record.timing == .live else { return 0 }
        return record.turns.reduce(0) { sum, turn in
            sum + (Double(turn.tokens.promptTokens) * price.input + Double(turn.tokens.completionTokens) * price.output)
                / 1_000_000
        }
    }
}
