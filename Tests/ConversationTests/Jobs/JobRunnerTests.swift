import Conversation
import Domain
import Foundation
import Runtime
import TestSupport
import Testing

/// Jobs are taken, done, retried and given back, on time that only the tests move.
@Suite(.timeLimit(.minutes(1)))
struct JobRunnerTests {
    private let queue = RecordedQueue()
    private let handler = GatedHandler()
    private let time = VirtualTime()
    private let sink = MemoryLogSink()
    private let metrics = Metrics()
    private let attempts: Counter
    private let tenant = TenantID()

    init() {
        attempts = metrics.counter("attempts", "", labels: "work", "outcome")
    }

    @Test func `a job is taken, done and finished`() async throws {
        var (events, begun) = (queue.events.makeAsyncIterator(), handler.begun.makeAsyncIterator())
        queue.add(job(1))
        let runner = try await startRunner()
        #expect(await events.next() == .took([1], limit: 2))
        #expect(await begun.next() == 1)
        #expect(runner.running == 1)
        handler.end(1)
        #expect(await events.next() == .finished(1))
        await runner.drain(by: soon)
        #expect(metrics.counts("attempts") == [["embed_exchange", "done"]: 1])
    }

    @Test func `no more jobs are taken than there are slots, and a slot that is freed is filled at once`() async throws
    {
        var (events, begun) = (queue.events.makeAsyncIterator(), handler.begun.makeAsyncIterator())
        queue.add(job(1), job(2), job(3))
        let runner = try await startRunner()
        #expect(await events.next() == .took([1, 2], limit: 2))
        let first = [await begun.next(), await begun.next()]
        #expect(Set(first) == [1, 2])
        #expect(runner.running == 2)
        handler.end(2)
        #expect(await events.next() == .finished(2))
        #expect(await events.next() == .took([3], limit: 1))
        #expect(await begun.next() == 3)
        handler.end(1)
        handler.end(3)
        await runner.drain(by: soon)
        #expect(runner.running == 0)
    }

    @Test func `a job of a kind that cannot be done now stays in the queue and costs no attempt`() async throws {
        var events = queue.events.makeAsyncIterator()
        let waiting = Job(
            id: 1,
            tenant: TenantID(),
            patient: PatientID(),
            work: .embedExchange(MessageID()),
            attempts: 0
        )
        let possible = Job(
            id: 2,
            tenant: TenantID(),
            patient: PatientID(),
            work: .readFacts(ConversationID()),
            attempts: 0
        )
        queue.add(waiting, possible)
        let able = GatedHandler([.readFacts])
        let runner = JobRunner(queue, handler: able, log: Log(to: sink), counting: attempts, time: time)
        try await runner.start()
        #expect(await events.next() == .took([2], limit: 2))
        var begun = able.begun.makeAsyncIterator()
        #expect(await begun.next() == 2)
        able.end(2)
        #expect(await events.next() == .finished(2))
        await runner.drain(by: soon)
    }

    @Test func `an empty queue is asked less and less often, up to a limit`() async throws {
        var events = queue.events.makeAsyncIterator()
        let runner = try await startRunner()
        for milliseconds in [500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000] {
            #expect(await events.next() == .took([], limit: 2))
            await time.hasSleeper(for: .milliseconds(milliseconds))
            time.advance(by: .milliseconds(milliseconds))
        }
        await runner.drain(by: soon)
    }

    @Test func `a wake makes the queue be asked at once`() async throws {
        var (events, begun) = (queue.events.makeAsyncIterator(), handler.begun.makeAsyncIterator())
        let runner = try await startRunner()
        #expect(await events.next() == .took([], limit: 2))
        await time.hasSleeper(for: .milliseconds(500))
        queue.add(job(1))
        runner.wake()
        #expect(await events.next() == .took([1], limit: 2))
        #expect(await begun.next() == 1)
        handler.end(1)
        await runner.drain(by: soon)
    }

    @Test func `a wake that comes before the wait is not lost`() async throws {
        var events = queue.events.makeAsyncIterator()
        let runner = makeRunner()
        runner.wake()
        try await runner.start()
        #expect(await events.next() == .took([], limit: 2))
        #expect(await events.next() == .took([], limit: 2))
        await time.hasSleeper(for: .milliseconds(1_000))
        await runner.drain(by: soon)
    }

    @Test func `a queue that cannot be reached is asked again later, and the log says so once`() async throws {
        var events = queue.events.makeAsyncIterator()
        queue.fail(with: .unavailable(reason: "connection refused"))
        let runner = try await startRunner()
        #expect(await events.next() == .refused)
        await time.hasSleeper(for: .milliseconds(500))
        time.advance(by: .milliseconds(500))
        #expect(await events.next() == .refused)
        await time.hasSleeper(for: .milliseconds(1_000))
        queue.fail(with: nil)
        time.advance(by: .milliseconds(1_000))
        #expect(await events.next() == .took([], limit: 2))
        await runner.drain(by: soon)
        #expect(sink.lines.map(\.event) == ["jobs_not_taken", "jobs_taken_again"])
    }

    @Test(arguments: [
        (0, JobFailure.model(.empty), 2.5...5.0),
        (3, .model(.empty), 20.0...40.0),
        (50, .model(.empty), 450.0...900.0),
        (0, .model(.refused(status: 429, retryAfter: .seconds(77), message: "slow down")), 77.0...77.0),
        (9, .recall(.overloaded(waiting: 256)), 450.0...900.0),
    ])
    func `a failed job comes back after longer and longer, or when the provider says`(
        _ attempts: Int,
        _ failure: JobFailure,
        _ seconds: ClosedRange<Double>
    ) async throws {
        var (events, begun) = (queue.events.makeAsyncIterator(), handler.begun.makeAsyncIterator())
        queue.add(job(1, attempts: attempts))
        let runner = try await startRunner()
        #expect(await events.next() == .took([1], limit: 2))
        #expect(await begun.next() == 1)
        handler.end(1, .failure(failure))
        guard case .retried(1, let delay, let reason) = await events.next() else {
            Issue.record("the job was not given back")
            return
        }
        #expect(seconds.contains(delay.seconds))
        #expect(reason == "\(failure)")
        await runner.drain(by: soon)
        #expect(sink.lines.map(\.event) == ["job_failed"])
    }

    @Test func `a job that runs past its deadline is stopped and comes back`() async throws {
        var (events, begun) = (queue.events.makeAsyncIterator(), handler.begun.makeAsyncIterator())
        queue.add(job(1))
        let runner = try await startRunner()
        #expect(await events.next() == .took([1], limit: 2))
        #expect(await begun.next() == 1)
        await time.hasSleeper(for: .seconds(30))
        time.advance(by: .seconds(30))
        var event = await events.next()
        while case .took = event { event = await events.next() }
        guard case .retried(1, _, let reason) = event else {
            Issue.record("the job was not given back: \(String(describing: event))")
            return
        }
        #expect(reason == "\(JobFailure.timedOut(after: .seconds(30)))")
        await runner.drain(by: soon)
    }

    @Test func `a drain takes no more and waits for the jobs that run`() async throws {
        var (events, begun) = (queue.events.makeAsyncIterator(), handler.begun.makeAsyncIterator())
        queue.add(job(1))
        let runner = try await startRunner()
        #expect(await events.next() == .took([1], limit: 2))
        #expect(await begun.next() == 1)
        async let drained: Void = runner.drain(by: Deadline(after: .seconds(10), from: time.now))
        await time.hasSleeper(for: .milliseconds(9_500))
        queue.add(job(2))
        runner.wake()
        handler.end(1)
        #expect(await events.next() == .finished(1))
        await drained
        #expect(runner.running == 0)
        #expect(await nothingMore(of: queue))
    }

    @Test func `a job that outlasts the drain is stopped and given back for at once`() async throws {
        var (events, begun) = (queue.events.makeAsyncIterator(), handler.begun.makeAsyncIterator())
        queue.add(job(1))
        let runner = try await startRunner()
        #expect(await events.next() == .took([1], limit: 2))
        #expect(await begun.next() == 1)
        async let drained: Void = runner.drain(by: Deadline(after: .seconds(10), from: time.now))
        await time.hasSleeper(for: .milliseconds(9_500))
        time.advance(by: .milliseconds(9_500))
        #expect(await events.next() == .retried(1, after: .zero, reason: "cancelled"))
        await drained
        #expect(runner.running == 0)
    }

    @Test func `a job that cannot be settled is left to its lease, with a line in the log`() async throws {
        var (events, begun) = (queue.events.makeAsyncIterator(), handler.begun.makeAsyncIterator())
        queue.add(job(1))
        queue.failFinishing(with: .unavailable(reason: "gone"))
        let runner = try await startRunner()
        #expect(await events.next() == .took([1], limit: 2))
        #expect(await begun.next() == 1)
        handler.end(1)
        #expect(await events.next() == .finished(1))
        await runner.drain(by: soon)
        #expect(sink.lines.map(\.event) == ["jobs_not_settled"])
    }

    @Test func `jobs are taken together and settled together, once none is left that could join them`() async throws {
        var (events, begun) = (queue.events.makeAsyncIterator(), handler.begun.makeAsyncIterator())
        queue.add(job(1), job(2), job(3))
        let runner = makeRunner(JobRunnerSettings(concurrency: 2, depth: 2, settling: .seconds(5)))
        try await runner.start()
        #expect(await events.next() == .took([1, 2, 3], limit: 4))
        #expect(Set([await begun.next(), await begun.next()]) == [1, 2])
        #expect(runner.running == 2)
        handler.end(1)
        #expect(await begun.next() == 3)
        handler.end(3, .failure(.model(.empty)))
        handler.end(2)
        guard case .settled(let ids) = await events.next() else {
            Issue.record("they were settled one by one")
            return
        }
        #expect(Set(ids) == [1, 2, 3])
        await runner.drain(by: soon)
    }

    @Test func `what became of a job is written in time although another job hangs`() async throws {
        var (events, begun) = (queue.events.makeAsyncIterator(), handler.begun.makeAsyncIterator())
        queue.add(job(1), job(2), job(3))
        let runner = makeRunner(JobRunnerSettings(concurrency: 2, depth: 2, settling: .seconds(5)))
        try await runner.start()
        #expect(await events.next() == .took([1, 2, 3], limit: 4))
        #expect(Set([await begun.next(), await begun.next()]) == [1, 2])
        handler.end(1)
        #expect(await begun.next() == 3)
        await time.hasSleeper(for: .seconds(5))
        time.advance(by: .seconds(5))
        #expect(await events.next() == .finished(1))
        handler.end(2)
        handler.end(3)
        await runner.drain(by: soon)
    }

    @Test func `an effect that is refused costs the others nothing and its job comes back`() async throws {
        var (events, begun) = (queue.events.makeAsyncIterator(), handler.begun.makeAsyncIterator())
        let refused = JobEffect.facts([], read: [MessageID()])
        queue.refuse(refused)
        queue.add(job(1), job(2))
        let runner = makeRunner(JobRunnerSettings(concurrency: 1, depth: 2, settling: .seconds(5)))
        try await runner.start()
        #expect(await events.next() == .took([1, 2], limit: 2))
        #expect(await begun.next() == 1)
        handler.end(1, .success(refused))
        #expect(await begun.next() == 2)
        handler.end(2)
        #expect(await events.next() == .settled([1, 2]))
        #expect(await events.next() == .finished(1))
        #expect(await events.next() == .finished(2))
        #expect(await events.next() == .finished(1))
        guard case .retried(1, _, let reason) = await events.next() else {
            Issue.record("the job did not come back")
            return
        }
        #expect(reason.contains("23503"))
        #expect(await events.next() == .finished(2))
        await runner.drain(by: soon)
    }

    @Test func `jobs that were taken and not begun are given back when the runner stops`() async throws {
        var (events, begun) = (queue.events.makeAsyncIterator(), handler.begun.makeAsyncIterator())
        queue.add(job(1), job(2))
        let runner = makeRunner(JobRunnerSettings(concurrency: 1, depth: 2, settling: .seconds(5)))
        try await runner.start()
        #expect(await events.next() == .took([1, 2], limit: 2))
        #expect(await begun.next() == 1)
        async let drained: Void = runner.drain(by: Deadline(after: .seconds(10), from: time.now))
        await time.hasSleeper(for: .milliseconds(9_500))
        handler.end(1)
        var ends: [RecordedQueue.Event] = []
        while ends.count < 2, let event = await events.next() {
            if case .settled(let ids) = event { #expect(Set(ids) == [1, 2]) } else { ends.append(event) }
        }
        #expect(ends.contains(.finished(1)) && ends.contains(.retried(2, after: .zero, reason: "cancelled")))
        await drained
        #expect(runner.running == 0)
    }

    @Test func `a runner that was never started drains at once`() async {
        await makeRunner().drain(by: soon)
    }

    private var soon: Deadline { Deadline(after: .seconds(60), from: time.now) }

    private func makeRunner(_ settings: JobRunnerSettings = JobRunnerSettings()) -> JobRunner {
        JobRunner(queue, handler: handler, settings: settings, log: Log(to: sink), counting: attempts, time: time)
    }

    private func startRunner() async throws -> JobRunner {
        let runner = makeRunner()
        try await runner.start()
        return runner
    }

    private func job(_ id: Int64, attempts: Int = 0) -> Job {
        Job(
            id: id,
            tenant: tenant,
            patient: PatientID(),
            work: .embedExchange(MessageID()),
            attempts: attempts
        )
    }

    /// True if the queue was asked for nothing since its events were last read: a marker comes next.
    private func nothingMore(of queue: RecordedQueue) async -> Bool {
        let marker = job(-1)
        try? await queue.settle([JobOutcome(marker, .done(.nothing))], of: marker.tenant, by: soon)
        var events = queue.events.makeAsyncIterator()
        return await events.next() == .finished(-1)
    }
}

/// The delay before a retry, as a pure function.
struct RetryPolicyTests {
    @Test(arguments: [
        (0, 0.0, 2.5), (0, 1.0, 5.0), (1, 1.0, 10.0), (2, 0.5, 15.0), (7, 1.0, 640.0), (8, 1.0, 900.0),
        (1_000, 1.0, 900.0), (-3, 1.0, 5.0), (0, 7.0, 5.0), (0, -1.0, 2.5),
    ])
    func `the delay doubles with each attempt, up to a limit, less a random half`(
        _ attempts: Int,
        _ jitter: Double,
        _ seconds: Double
    ) {
        #expect(abs(RetryPolicy().delay(after: attempts, jitter: jitter).seconds - seconds) < 0.001)
    }
}
